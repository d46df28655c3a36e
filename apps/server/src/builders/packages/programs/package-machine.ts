import { join } from 'node:path';
import type { Config } from '../../../config/config.ts';
import { operatorHost } from '../../../egress/egress-host.ts';
import type { EgressProxy, WayOut } from '../../../egress/egress-proxy.ts';
import { openPackageStore, type PackageStore } from './package-store.ts';

/** A registry of mops packages: a canister, and the address of the network it runs on. */
interface MopsRegistry {
  readonly url: string;
  readonly canisterId: string;
  /** Whether it is on the real IC, whose root key is built into the client; elsewhere the client asks for the key. */
  readonly isMainnet: boolean;
}

/** What this machine offers to builds that need Motoko packages. */
export interface PackageMachine {
  readonly registry: MopsRegistry;
  readonly store: PackageStore;
  /** Opens a way out to the registry, and to nothing else. */
  openWay(onNote: (text: string) => void): Promise<WayOut>;
  /** Until when the registry counts as out of reach, by performance.now(). */
  unreachableUntil: number;
}

/** Verified packages of all registries. */
export function packagesFolder(dataDir: string): string {
  return join(dataDir, 'cache', 'motoko-packages');
}

/** @param at how steps reach their way out */
export function packageMachine(
  config: Pick<Config, 'dataDir' | 'mopsRegistry'>,
  egress: EgressProxy,
  at: 'socket' | 'loopback',
): PackageMachine {
  const { url, canisterId } = config.mopsRegistry;
  const host = operatorHost(url, 'registry');
  // A client may ask the proxy for a tunnel to a plain address as well.
  const hosts = host === null ? [] : [host, { ...host, plain: false }];
  const name = `${new URL(url).host}_${canisterId}`.replaceAll(/[^\w.-]/g, '_');
  return {
    registry: config.mopsRegistry,
    store: openPackageStore(join(packagesFolder(config.dataDir), name)),
    openWay: (onNote) => egress.open({ hosts, at, onNote }),
    unreachableUntil: 0,
  };
}

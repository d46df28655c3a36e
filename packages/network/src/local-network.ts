import { mkdirSync } from 'node:fs';
import { Certifier } from './certification/certifier.ts';
import { loadOrCreateKeys } from './certification/keys.ts';
import { startSigner } from './certification/signer.ts';
import { StateTree } from './certification/state-tree.ts';
import { subnetDirectory } from './certification/subnet-leaves.ts';
import { systemClock } from './clock.ts';
import { startEngine } from './engine/host.ts';
import { createGateway } from './gateway/gateway.ts';
import { CertifiedQueries } from './http/certified-query.ts';
import { startHttpServer } from './http/server.ts';
import type { InstructionLimits } from './limits.ts';

export interface LocalNetworkOptions {
  /** Directory that holds everything the network has to remember; made if it does not exist. */
  readonly dataDir: string;
  /** Address to listen on. */
  readonly host?: string;
  /** Port to listen on; 0 picks a free one. */
  readonly port?: number;
  /** Lower limits stop runaway code sooner; the default is what the Internet Computer allows. */
  readonly instructionLimits?: Partial<InstructionLimits>;
}

/** A running local network. */
export interface LocalNetwork {
  /** Base address for agents, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The root key (DER) against which clients verify certificates. */
  readonly rootKey: Uint8Array;
  /** Resolves with the reason when the network can no longer run canisters; start it again on the same directory. */
  readonly failed: Promise<Error>;
  /** Finishes what is running, writes everything to disk and stops. */
  close(): Promise<void>;
}

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 4943;

/**
 * Starts a network on `dataDir`, continuing where it was stopped or killed, and resolves when it answers.
 * Rejects when the directory is in use by another network or the port is taken.
 */
export async function createLocalNetwork(options: LocalNetworkOptions): Promise<LocalNetwork> {
  const { dataDir, host = DEFAULT_HOST, port = DEFAULT_PORT, instructionLimits } = options;
  mkdirSync(dataDir, { recursive: true });
  const keys = loadOrCreateKeys(dataDir);
  await using resources = new AsyncDisposableStack();
  const engine = resources.adopt(
    await startEngine({ dataDir, rootKeyDer: keys.rootKey, subnetId: keys.subnetId, instructionLimits }),
    (each) => each.close(),
  );
  const signer = resources.adopt(startSigner(keys.rootSecretKey), (each) => each.close());

  const clock = systemClock();
  const now = (): bigint => clock.now();
  const state = new StateTree(subnetDirectory(keys));
  const loaded = state.changed();
  engine.subscribe((delta) => state.apply(delta, now()));
  await loaded;

  const certifier = new Certifier(state, signer, now);
  const queries = new CertifiedQueries(engine, state, certifier, now);
  const service = { engine, state, certifier, queries, keys, now };
  const server = await startHttpServer(service, createGateway(service), { host, port });
  resources.defer(() => server.close());

  const running = resources.move();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    port: server.port,
    rootKey: keys.rootKey,
    failed: engine.failed,
    close: () => running.disposeAsync(),
  };
}

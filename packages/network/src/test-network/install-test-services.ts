import { readFile } from 'node:fs/promises';
import { SYSTEM_PRINCIPAL } from '@cannery/replica/state/provisional';
import { Principal } from '@icp-sdk/core/principal';
import type { Service } from '../services/chosen-services.ts';
import { openingOptions, serviceCanisters } from '../services/system-canisters.ts';
import { testRoot } from './test-keys.ts';

/** What installing needs of the network. */
interface ServiceHost {
  createCanister(options: {
    readonly id: Principal;
    readonly cycles: bigint;
    readonly sender: Principal;
  }): Promise<Principal>;
  install(
    id: Principal,
    wasm: Uint8Array,
    options: { readonly arg: Uint8Array; readonly sender: Principal },
  ): Promise<void>;
}

const sender = Principal.fromUint8Array(SYSTEM_PRINCIPAL);

/** Puts system canisters into a new network, each at its ID on the Internet Computer. Rejects with `CallRejectedError`. */
export async function installTestServices(
  network: ServiceHost,
  services: ReadonlySet<Service>,
): Promise<void> {
  const context = { subnetId: testRoot.subnetId, provisional: 'anyone' } as const;
  for (const { service, canister, cycles } of serviceCanisters) {
    if (!services.has(service)) continue;
    const id = await network.createCanister({ id: Principal.fromText(canister.id), cycles, sender });
    const wasm = new Uint8Array(await readFile(canister.module));
    await network.install(id, wasm, { arg: canister.arg(openingOptions(context)), sender });
  }
}

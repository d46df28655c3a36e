import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalNetwork, type LocalNetwork, type LocalNetworkOptions } from '@cannery/network';
import { Actor, type HttpAgent, type Identity } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { connect, management } from '../../../../packages/network/test/agent.ts';
import { readSamples, sampleModule } from '../../src/builders/motoko/samples.ts';
import { encodeArgument } from '../../src/features/canister/code/encode-argument.ts';

/** A sample dapp on a network in this process. */
export interface SampleCanister {
  readonly id: Principal;
  readonly network: LocalNetwork;
  readonly controller: Identity;
  /** An agent with all verification on; of the anonymous caller where no identity is given. */
  agent(identity?: Identity): Promise<HttpAgent>;
  /** The canister as a caller sees it. */
  actor<Service>(idl: IDL.InterfaceFactory, identity?: Identity): Promise<Service>;
  /** The oldest version in another canister, with other arguments. */
  install(argument: Uint8Array): Promise<Principal>;
  /** To another version, with no arguments at all. */
  upgrade(version: string): Promise<void>;
  close(): Promise<void>;
}

/** How long a `beforeAll` with `startSample` may take, in ms: the compiler takes its time on a busy machine. */
export const START_MS = 400_000;

/** Starts a network with the oldest version of a sample on it. */
export async function startSample(
  folder: string,
  argument: Uint8Array,
  options: Partial<LocalNetworkOptions> = {},
): Promise<SampleCanister> {
  const sample = (await readSamples()).find((one) => one.folder === folder);
  if (sample === undefined) throw new Error(`There is no sample ${folder}.`);
  const moduleOf = (wanted: string): Promise<Uint8Array> => {
    const version = sample.versions.find((one) => one.version === wanted);
    if (version === undefined) throw new Error(`${folder} has no version ${wanted}.`);
    return sampleModule(sample, version, new AbortController().signal);
  };
  // Compiling takes a minute on a busy machine, so both versions are there before the first test begins.
  const wasm = await moduleOf('1.0.0');
  for (const { version } of sample.versions) {
    // The example of the manifest fits the types that the module itself names, and so does an upgrade without values.
    await encodeArgument(await moduleOf(version), sample.argument);
    await encodeArgument(await moduleOf(version), '()');
  }

  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-sample-'));
  const network = await createLocalNetwork({ dataDir, port: 0, ...options });
  const controller = Ed25519KeyIdentity.generate();
  const agent = (identity?: Identity): Promise<HttpAgent> => connect(network.url, identity);
  const ic = management(await agent(controller));
  const install = async (arg: Uint8Array): Promise<Principal> => {
    const { canister_id } = await ic.provisional_create_canister_with_cycles({ amount: [], settings: [] });
    await ic.install_code({ mode: { install: null }, canister_id, wasm_module: wasm, arg });
    return canister_id;
  };
  const id = await install(argument);
  return {
    id,
    network,
    controller,
    agent,
    install,
    async actor<Service>(idl: IDL.InterfaceFactory, identity?: Identity) {
      return Actor.createActor(idl, { agent: await agent(identity), canisterId: id }) as Service;
    },
    async upgrade(version) {
      await ic.install_code({
        mode: { upgrade: [{ skip_pre_upgrade: [], wasm_memory_persistence: [{ keep: null }] }] },
        canister_id: id,
        wasm_module: await moduleOf(version),
        arg: new Uint8Array(IDL.encode([], [])),
      });
    },
    async close() {
      await network.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

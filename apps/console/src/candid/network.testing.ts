import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpAgent, Identity } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';

/** A real network in its own directory. */
export interface TestNetwork {
  readonly url: string;
  /** Compiles a Motoko actor, installs it in a new canister and returns its id. */
  deployMotoko(source: string): Promise<string>;
  /** Creates a canister without code and returns its id. */
  createEmpty(): Promise<string>;
  close(): Promise<void>;
}

interface LocalNetworkModule {
  createLocalNetwork(options: {
    dataDir: string;
    port: number;
  }): Promise<{ url: string; close(): Promise<void> }>;
}

interface ManagementModule {
  connect(url: string, identity: Identity): Promise<HttpAgent>;
  deploy(agent: HttpAgent, wasm: Uint8Array): Promise<Principal>;
  management(agent: HttpAgent): {
    provisional_create_canister_with_cycles(args: {
      amount: [];
      settings: [];
    }): Promise<{ canister_id: Principal }>;
  };
}

interface MotokoModule {
  compileMotoko(source: string): Uint8Array;
}

// Loaded by address: those sources are type-checked for Node, this folder for the browser.
const load = <Module>(file: string): Promise<Module> =>
  import(/* @vite-ignore */ new URL(`../../../../packages/network/${file}`, import.meta.url).href);

/** Starts a network on a free port. */
export async function startTestNetwork(): Promise<TestNetwork> {
  const { createLocalNetwork } = await load<LocalNetworkModule>('src/local-network.ts');
  const { connect, deploy, management } = await load<ManagementModule>('test/agent.ts');
  const { compileMotoko } = await load<MotokoModule>('test/compile-motoko.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-candid-'));
  const network = await createLocalNetwork({ dataDir, port: 0 });
  const owner = await connect(network.url, Ed25519KeyIdentity.generate());
  return {
    url: network.url,
    deployMotoko: async (source) => (await deploy(owner, compileMotoko(source))).toText(),
    createEmpty: async () => {
      const canisters = management(owner);
      const created = await canisters.provisional_create_canister_with_cycles({ amount: [], settings: [] });
      return created.canister_id.toText();
    },
    close: async () => {
      await network.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalNetwork } from '@cannery/network';
import { Actor } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { connect, management } from '../../../../packages/network/test/agent.ts';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';

const SOURCE = new URL('./mops-registry.mo', import.meta.url);

const file = IDL.Record({ path: IDL.Text, content: IDL.Vec(IDL.Nat8), hash: IDL.Vec(IDL.Nat8) });
const idl: IDL.InterfaceFactory = () =>
  IDL.Service({
    publish: IDL.Func([IDL.Text, IDL.Text, IDL.Vec(file)], [], []),
    installCount: IDL.Func([], [IDL.Nat], ['query']),
  });

interface Registry {
  publish(
    name: string,
    version: string,
    files: { path: string; content: Uint8Array; hash: Uint8Array }[],
  ): Promise<void>;
  installCount(): Promise<bigint>;
}

/** A registry of packages in a canister, on a network in this process. */
export interface MopsRegistry {
  readonly url: string;
  readonly canisterId: string;
  /** @param hashed what the registry says it hashed, by path; the files themselves where it is not given */
  publish(
    name: string,
    version: string,
    files: Readonly<Record<string, string>>,
    hashed?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** How often a client has told of an installation. */
  installCount(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a network with an empty registry. */
export async function startMopsRegistry(): Promise<MopsRegistry> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-registry-'));
  const network = await createLocalNetwork({ dataDir, port: 0 });
  const agent = await connect(network.url, Ed25519KeyIdentity.generate());
  const ic = management(agent);
  const { canister_id } = await ic.provisional_create_canister_with_cycles({ amount: [], settings: [] });
  await ic.install_code({
    mode: { install: null },
    canister_id,
    wasm_module: compileMotoko(readFileSync(SOURCE, 'utf8')),
    arg: IDL.encode([], []),
  });
  const actor = Actor.createActor<Registry>(idl, { agent, canisterId: canister_id });
  return {
    url: network.url,
    canisterId: canister_id.toText(),
    publish: (name, version, files, hashed = {}) =>
      actor.publish(
        name,
        version,
        Object.entries(files).map(([path, text]) => ({
          path,
          content: Buffer.from(text),
          hash: createHash('sha256')
            .update(hashed[path] ?? text)
            .digest(),
        })),
      ),
    installCount: async () => Number(await actor.installCount()),
    async close() {
      await network.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { Actor, HttpAgent, type Identity } from '@dfinity/agent';
import { AssetManager } from '@dfinity/assets';
import { IDL } from '@dfinity/candid';
import { Principal } from '@dfinity/principal';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';

const FILES = 500;
const MANAGEMENT = Principal.fromText('aaaaa-aa');

let dataDir: string;
let network: LocalNetwork;
let agent: HttpAgent;
let canisterId: Principal;
let manager: AssetManager;
/** Trusts the network: to verify the signature on the answer to each chunk would take most of the time. */
let uploader: AssetManager;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'asset-manager-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  // The packages of the asset manager know identities by their own, older type.
  const identity = Ed25519KeyIdentity.generate() as unknown as Identity;
  agent = await HttpAgent.create({ host: network.url, identity, shouldFetchRootKey: true });
  canisterId = await installedCanister();
  manager = new AssetManager({ canisterId, agent });
  uploader = new AssetManager({ canisterId, agent, blsVerify: async () => true });
});

afterAll(async () => {
  await network.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function installedCanister(): Promise<Principal> {
  const CreateArgument = IDL.Record({ amount: IDL.Opt(IDL.Nat) });
  const CreateResult = IDL.Record({ canister_id: IDL.Principal });
  const InstallArgument = IDL.Record({
    mode: IDL.Variant({ install: IDL.Null }),
    canister_id: IDL.Principal,
    wasm_module: IDL.Vec(IDL.Nat8),
    arg: IDL.Vec(IDL.Nat8),
  });
  const management = Actor.createActor(
    () =>
      IDL.Service({
        provisional_create_canister_with_cycles: IDL.Func([CreateArgument], [CreateResult]),
        install_code: IDL.Func([InstallArgument], []),
      }),
    {
      agent,
      canisterId: MANAGEMENT,
      callTransform: (_method, [argument]) => ({
        effectiveCanisterId: (argument as { canister_id?: Principal }).canister_id ?? MANAGEMENT,
      }),
    },
  );
  const call = async (method: string, argument: unknown): Promise<unknown> => management[method]?.(argument);
  const created = await call('provisional_create_canister_with_cycles', { amount: [10n ** 13n] });
  const { canister_id } = created as { canister_id: Principal };
  const wasm_module = await assetCanisterWasm();
  await call('install_code', {
    mode: { install: null },
    canister_id,
    wasm_module,
    arg: Buffer.from('DIDL\0\0'),
  });
  return canister_id;
}

function served(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${network.url}${path}?canisterId=${canisterId.toText()}`, { headers });
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

test('the asset manager puts 500 files on the canister in one batch and gets them back', async () => {
  const batch = uploader.batch();
  const contents = Array.from({ length: FILES }, (_, i) => randomBytes(1000 + i));
  for (const [i, content] of contents.entries()) {
    await batch.store(content, { fileName: `${i}.bin`, path: `/files/${i % 7}` });
  }
  await batch.commit();
  expect(await manager.list()).toHaveLength(100);
  for (const i of [0, 123, FILES - 1]) {
    const asset = await manager.get(`/files/${i % 7}/${i}.bin`);
    expect(hashOf(await asset.toUint8Array())).toBe(hashOf(contents[i] ?? new Uint8Array()));
    expect(await asset.isCertified()).toBe(true);
    const response = await served(`/files/${i % 7}/${i}.bin`);
    expect(hashOf(Buffer.from(await response.arrayBuffer()))).toBe(hashOf(contents[i] ?? new Uint8Array()));
  }
  await manager.delete('/files/0/0.bin');
  await expect(manager.get('/files/0/0.bin')).rejects.toThrow('asset not found');
  await manager.clear();
  expect(await manager.list()).toEqual([]);
}, 180_000);

test('a file of 30 MB arrives whole, by the manager and by the gateway', async () => {
  const content = randomBytes(30_000_000);
  await uploader.store(content, { fileName: 'movie.mp4', contentType: 'video/mp4' });
  const asset = await manager.get('/movie.mp4');
  expect([asset.length, asset.contentType]).toEqual([content.length, 'video/mp4']);
  expect(hashOf(await asset.toUint8Array())).toBe(hashOf(content));
  const response = await served('/movie.mp4');
  expect(hashOf(Buffer.from(await response.arrayBuffer()))).toBe(hashOf(content));
}, 180_000);

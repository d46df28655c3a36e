import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { verifyRequestResponsePair } from '@dfinity/response-verification';
import { type ActorSubclass, Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { assetService } from './asset-client.ts';

const MANAGEMENT = Principal.fromText('aaaaa-aa');
const FIVE_MINUTES = 300_000_000_000n;

let dataDir: string;
let network: LocalNetwork;
let agent: HttpAgent;
let canisterId: Principal;
let assets: ActorSubclass;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'asset-canister-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  agent = await HttpAgent.create({
    host: network.url,
    identity: Ed25519KeyIdentity.generate(),
    shouldFetchRootKey: true,
  });
  canisterId = await createCanister();
  await install('install');
  const service = await assetService();
  assets = Actor.createActor(() => service, { agent, canisterId });
});

afterAll(async () => {
  await network.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function manage(
  method: string,
  type: IDL.Type,
  value: unknown,
  effectiveCanisterId = MANAGEMENT,
): Promise<Uint8Array> {
  const arg = new Uint8Array(IDL.encode([type], [value]));
  const { reply } = await agent.update(MANAGEMENT, { methodName: method, arg, effectiveCanisterId });
  return Uint8Array.from(reply);
}

async function createCanister(): Promise<Principal> {
  const reply = await manage(
    'provisional_create_canister_with_cycles',
    IDL.Record({ amount: IDL.Opt(IDL.Nat) }),
    { amount: [10n ** 13n] },
  );
  const [created] = IDL.decode([IDL.Record({ canister_id: IDL.Principal })], reply) as unknown as [
    { canister_id: Principal },
  ];
  return created.canister_id;
}

async function install(mode: 'install' | 'upgrade'): Promise<void> {
  const type = IDL.Record({
    mode: IDL.Variant({ install: IDL.Null, upgrade: IDL.Null }),
    canister_id: IDL.Principal,
    wasm_module: IDL.Vec(IDL.Nat8),
    arg: IDL.Vec(IDL.Nat8),
  });
  const wasm = await assetCanisterWasm();
  const arg = new Uint8Array(IDL.encode([], []));
  await manage(
    'install_code',
    type,
    { mode: { [mode]: null }, canister_id: canisterId, wasm_module: wasm, arg },
    canisterId,
  );
}

async function call<T>(method: string, argument: unknown): Promise<T> {
  const call = assets[method];
  if (call === undefined) throw new Error(`the canister has no ${method}`);
  return (await call(argument)) as T;
}

function store(key: string, content: string): Promise<void> {
  return call('store', {
    key,
    content_type: 'text/html',
    content_encoding: 'identity',
    content: Buffer.from(content),
    sha256: [],
  });
}

async function servedAt(path: string): Promise<string> {
  const response = await fetch(`${network.url}${path}?canisterId=${canisterId.toText()}`);
  return `${response.status} ${await response.text()}`;
}

interface Answer {
  readonly status_code: number;
  readonly headers: [string, string][];
  readonly body: Uint8Array;
}

test('the verifier of the HTTP gateways accepts what the network certifies, and no changed byte', async () => {
  await store('/index.html', 'start');
  await store('/404.html', 'lost');
  for (const url of ['/', '/index.html', '/unknown/path']) {
    const request = {
      method: 'GET',
      url,
      headers: [],
      body: new Uint8Array(),
      certificate_version: [2] as [number],
    };
    const answer = await call<Answer>('http_request', request);
    const verify = (body: Uint8Array) =>
      verifyRequestResponsePair(
        request,
        { ...answer, body },
        canisterId.toUint8Array(),
        BigInt(Date.now()) * 1_000_000n,
        FIVE_MINUTES,
        network.rootKey,
        2,
      );
    expect(verify(answer.body).response?.statusCode).toBe(answer.status_code);
    const tampered = Uint8Array.from(answer.body);
    tampered[0] = (tampered[0] ?? 0) ^ 1;
    expect(() => verify(tampered)).toThrow();
  }
});

test('the gateway serves the site after an upgrade as before', async () => {
  await store('/index.html', 'start');
  await store('/about.html', 'about');
  const before = [await servedAt('/'), await servedAt('/about')];
  await install('upgrade');
  expect([await servedAt('/'), await servedAt('/about')]).toEqual(before);
  expect(before).toEqual(['200 start', '200 about']);
});

test('a commit that fails half way changes nothing', async () => {
  await store('/index.html', 'before');
  const { batch_id } = await call<{ batch_id: bigint }>('create_batch', {});
  const content = (text: string, hash: Uint8Array[]) => ({
    SetAssetContent: {
      key: '/index.html',
      content_encoding: 'identity',
      chunk_ids: [],
      last_chunk: [Buffer.from(text)],
      sha256: hash,
    },
  });
  const commit = call('commit_batch', {
    batch_id,
    operations: [{ Clear: {} }, content('after', [new Uint8Array(32)])],
  });
  await expect(commit).rejects.toThrow('asset not found: /index.html');
  expect(await servedAt('/')).toBe('200 before');
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Certificate,
  Cbor,
  HttpAgent,
  type Identity,
  LookupPathStatus,
  polling,
  StatePaths,
} from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import {
  DelegationChain,
  DelegationIdentity,
  ECDSAKeyIdentity,
  Ed25519KeyIdentity,
} from '@icp-sdk/core/identity';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUNTER_SOURCE, counter } from '../test/canisters/counter.ts';
import { decodeCborMaps } from '@cannery/ic/certification/tree/cbor';
import { createLocalNetwork, type LocalNetwork } from './local-network.ts';
import { connect, deploy, management } from '../test/agent.ts';
import { compileMotoko } from '../test/compile-motoko.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

let dataDir: string;
let network: LocalNetwork;
let owner: Ed25519KeyIdentity;
let agent: HttpAgent;
let wasm: Uint8Array;
let canisterId: Principal;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-network-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  owner = Ed25519KeyIdentity.generate();
  agent = await connect(network.url, owner);
  wasm = compileMotoko(COUNTER_SOURCE);
  canisterId = await deploy(agent, wasm);
});

afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

test('an ordinary agent with verification on updates and queries a canister', async () => {
  const actor = counter(agent, canisterId);
  const before = await actor.get();
  expect(await actor.inc()).toBe(before + 1n);
  expect(await actor.get()).toBe(before + 1n);
});

test('a trap is rejected with the words of the network and changes nothing', async () => {
  const actor = counter(agent, canisterId);
  const before = await actor.get();
  await expect(actor.trap()).rejects.toThrow(/IC0503[\s\S]*on purpose|on purpose/);
  expect(await actor.get()).toBe(before);
});

test.each<[string, () => Identity | Promise<Identity>]>([
  ['Ed25519', () => Ed25519KeyIdentity.generate()],
  ['secp256k1', () => Secp256k1KeyIdentity.generate()],
  ['P-256', () => ECDSAKeyIdentity.generate()],
  [
    'a delegation',
    async () => {
      const session = Ed25519KeyIdentity.generate();
      const expiry = new Date(Date.now() + 3_600_000);
      return DelegationIdentity.fromDelegation(
        session,
        await DelegationChain.create(owner, session.getPublicKey(), expiry),
      );
    },
  ],
])('identities with %s call as themselves', async (_name, generate) => {
  const identity = await generate();
  const actor = counter(await connect(network.url, identity), canisterId);
  expect((await actor.whoami()).toText()).toBe(identity.getPrincipal().toText());
  expect(await actor.inc()).toBeGreaterThan(0n);
});

test('a request with a wrong signature is refused', async () => {
  const identity = Ed25519KeyIdentity.generate();
  identity.sign = async () => Object.assign(new Uint8Array(64), { __signature__: undefined });
  const actor = counter(await connect(network.url, identity), canisterId);
  await expect(actor.inc()).rejects.toThrow('Ed25519 signature could not be verified');
  await expect(actor.get()).rejects.toThrow('Ed25519 signature could not be verified');
});

test('a call handed in with the old interface is polled to its answer', async () => {
  const actor = counter(agent, canisterId);
  const before = await actor.get();
  const { requestId, response } = await agent.call(canisterId, {
    methodName: 'inc',
    arg: new Uint8Array(IDL.encode([], [])),
    callSync: false,
  });
  expect(response.status).toBe(202);
  const { reply } = await polling.pollForResponse(agent, { canisterId }, requestId);
  expect(IDL.decode([IDL.Nat], new Uint8Array(reply ?? []))).toEqual([before + 1n]);
});

test('the status of a call is shown to its sender only', async () => {
  const { requestId } = await agent.call(canisterId, {
    methodName: 'inc',
    arg: new Uint8Array(IDL.encode([], [])),
  });
  const paths = [[utf8('request_status'), requestId]];
  const { verifiedCertificate } = await agent.readState({ canisterId }, { paths });
  expect(verifiedCertificate?.lookup_path([...(paths[0] ?? []), 'status']).status).toBe(
    LookupPathStatus.Found,
  );
  const stranger = await connect(network.url, Ed25519KeyIdentity.generate());
  await expect(stranger.readState({ canisterId }, { paths })).rejects.toThrow('not signed by the caller');
});

test('a call that arrives twice is carried out once', async () => {
  const before = await counter(agent, canisterId).get();
  const twice: typeof fetch = async (url, init) => {
    await Promise.all([fetch(url, init), fetch(url, init)]);
    return fetch(url, init);
  };
  const repeating = await HttpAgent.create({
    host: network.url,
    identity: owner,
    rootKey: network.rootKey,
    fetch: twice,
  });
  expect(await counter(repeating, canisterId).inc()).toBe(before + 1n);
  expect(await counter(agent, canisterId).get()).toBe(before + 1n);
});

test('private metadata is shown to controllers only', async () => {
  const name = StatePaths.canisterMetadataString(canisterId, 'motoko:compiler');
  const { values } = await agent.readState({ canisterId }, { paths: [name] });
  expect(values.get(name)).toBeTruthy();
  const stranger = await connect(network.url, Ed25519KeyIdentity.generate());
  await expect(stranger.readState({ canisterId }, { paths: [name] })).rejects.toThrow('only be requested by');
});

test('the subnet can be read at its own address', async () => {
  const subnetId = Principal.selfAuthenticating(network.rootKey);
  const publicKey = StatePaths.subnetPublicKey(subnetId);
  const { values } = await agent.readState({ subnetId }, { paths: [publicKey] });
  expect(values.get(publicKey)).toEqual(network.rootKey);
});

test('the figures of the subnet are certified at its own address, and follow what happens', async () => {
  const subnetId = Principal.selfAuthenticating(network.rootKey);
  const path = [utf8('subnet'), subnetId.toUint8Array(), utf8('metrics')];
  const read = async (): Promise<
    readonly [canisters: number, bytes: number, cycles: number, updates: number]
  > => {
    const { verifiedCertificate } = await agent.readState({ subnetId }, { paths: [path] });
    const found = verifiedCertificate.lookup_path(path);
    if (found.status !== LookupPathStatus.Found) throw new Error(found.status);
    // The agent's own decoder takes no numbers as keys.
    const packed = decodeCborMaps(found.value) as Map<number, unknown>;
    const cycles = packed.get(2) as Map<number, unknown>;
    expect(cycles.get(1)).toBe(0);
    return [Number(packed.get(0)), Number(packed.get(1)), Number(cycles.get(0)), Number(packed.get(3))];
  };
  const before = await read();
  await counter(agent, await deploy(agent, wasm)).inc();
  const after = await read();
  expect(after[0]).toBe(before[0] + 1);
  expect(after[1]).toBeGreaterThan(before[1] + wasm.length);
  expect(after[2]).toBeGreaterThan(before[2]);
  expect(after[3]).toBeGreaterThanOrEqual(before[3] + 3);
  await expect(agent.readState({ canisterId }, { paths: [path] })).rejects.toThrow();
});

test('the management canister answers queries as well', async () => {
  const arg = new Uint8Array(
    IDL.encode([IDL.Record({ canister_id: IDL.Principal })], [{ canister_id: canisterId }]),
  );
  const fields = { methodName: 'canister_status', arg, effectiveCanisterId: canisterId };
  expect(await agent.query(Principal.managementCanister(), fields)).toMatchObject({ status: 'replied' });
});

test('a management call is refused at the address of another canister than it names', async () => {
  const other = await deploy(agent, wasm);
  const arg = new Uint8Array(
    IDL.encode([IDL.Record({ canister_id: IDL.Principal })], [{ canister_id: canisterId }]),
  );
  const ic = Principal.managementCanister();
  const refusal = `Specified CanisterId ${canisterId} does not match effective canister id in URL ${other}`;
  for (const methodName of ['stop_canister', 'canister_status']) {
    const call = agent.call(ic, { methodName, arg, effectiveCanisterId: other });
    await expect(call).rejects.toThrow(refusal);
  }
  const status = { methodName: 'canister_status', arg, effectiveCanisterId: other };
  await expect(agent.query(ic, status)).rejects.toThrow(refusal);
  expect(await counter(agent, canisterId).get()).toBeGreaterThanOrEqual(0n);
});

test('module hash, controllers and interface are certified', async () => {
  const moduleHash = StatePaths.canisterModuleHash(canisterId);
  const controllers = StatePaths.canisterControllers(canisterId);
  const candid = StatePaths.canisterCandid(canisterId);
  const { values } = await agent.readState({ canisterId }, { paths: [moduleHash, controllers, candid] });
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(wasm));
  expect(values.get(moduleHash)).toEqual(new Uint8Array(digest));
  expect(values.get(controllers)?.map((each) => each.toText())).toEqual([owner.getPrincipal().toText()]);
  expect(values.get(candid)).toContain('inc: () -> (nat)');
});

test('what does not exist is provably absent', async () => {
  // Smaller than every other ID in each byte: agents compare labels byte by byte without regard to the order.
  const missing = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 1));
  for (const [id, path] of [
    [missing, [utf8('canister'), missing.toUint8Array(), utf8('module_hash')]],
    [canisterId, [utf8('canister'), canisterId.toUint8Array(), utf8('metadata'), utf8('no such')]],
  ] as const) {
    const { verifiedCertificate } = await agent.readState({ canisterId: id }, { paths: [[...path]] });
    expect(verifiedCertificate?.lookup_path([...path]).status).toBe(LookupPathStatus.Absent);
  }
  await expect(counter(agent, missing).get()).rejects.toThrow(/not found/);
});

test('certified data can be checked against the certificate a query hands out', async () => {
  const actor = counter(agent, canisterId);
  for (const data of ['first', 'second']) {
    await actor.certify(utf8(data));
    const [certificate] = await actor.certificate();
    const verified = await Certificate.create({
      certificate: new Uint8Array(certificate ?? []),
      rootKey: network.rootKey,
      principal: { canisterId },
    });
    const found = verified.lookup_path(['canister', canisterId.toUint8Array(), 'certified_data']);
    expect(found.status === LookupPathStatus.Found && Buffer.from(found.value).toString()).toBe(data);
  }
});

test('many calls at once are all answered', async () => {
  const actor = counter(agent, canisterId);
  const before = await actor.get();
  const results = await Promise.all(Array.from({ length: 100 }, () => actor.inc()));
  expect(new Set(results).size).toBe(100);
  expect(await actor.get()).toBe(before + 100n);
});

describe('requests that are no proper calls', () => {
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>): Promise<[number, string]> => {
    const response = await fetch(`${network.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/cbor' },
      body,
    });
    return [response.status, await response.text()];
  };

  test('malformed CBOR gets a reason and does no harm', async () => {
    const [status, text] = await post(`/api/v4/canister/${canisterId}/call`, 'hello');
    expect(status).toBe(400);
    expect(text).toContain('CBOR');
    expect((await fetch(`${network.url}/api/v2/status`)).status).toBe(200);
  });

  test('bodies and messages that are too long are refused', async () => {
    const path = `/api/v4/canister/${canisterId}/call`;
    expect((await post(path, new Uint8Array(4 * 1024 * 1024 + 1)))[0]).toBe(413);
    const arg = new Uint8Array(2 * 1024 * 1024);
    await expect(agent.call(canisterId, { methodName: 'inc', arg })).rejects.toThrow('Request is too large');
  });

  test('expired requests get the text agents look for', async () => {
    const content = {
      request_type: 'call',
      canister_id: canisterId.toUint8Array(),
      method_name: 'inc',
      arg: new Uint8Array(),
      sender: Uint8Array.of(4),
      ingress_expiry: BigInt(Date.now() - 1000) * 1_000_000n,
    };
    const [status, text] = await post(`/api/v4/canister/${canisterId}/call`, Cbor.encode({ content }));
    expect(status).toBe(400);
    expect(text).toContain('Invalid request expiry: Specified ingress_expiry not within expected range');
  });

  test('unknown addresses are not found and wrong methods are named', async () => {
    expect((await post('/api/v9/canister/aaaaa-aa/call', ''))[0]).toBe(404);
    expect((await fetch(`${network.url}/api/v3/canister/${canisterId}/query`)).status).toBe(405);
    expect((await fetch(`${network.url}/nothing`)).status).toBe(404);
  });

  test('pages of other origins may call the network', async () => {
    const response = await fetch(`${network.url}/api/v4/canister/${canisterId}/call`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
  });

  test('tools find a place to create canisters', async () => {
    const topology = (await (await fetch(`${network.url}/_/topology`)).json()) as {
      default_effective_canister_id: { canister_id: string };
    };
    const id = Buffer.from(topology.default_effective_canister_id.canister_id, 'base64');
    expect(Principal.fromUint8Array(id).toText()).toMatch(/-cai$/);
  });
});

test('a call that is refused at the door names the reason', async () => {
  const stranger = await connect(network.url, Ed25519KeyIdentity.generate());
  await expect(management(stranger).stop_canister({ canister_id: canisterId })).rejects.toThrow(/IC0512/);
  await expect(
    agent.call(canisterId, { methodName: 'nonsense', arg: new Uint8Array() }),
  ).resolves.toBeDefined();
});

test('a restart keeps canisters, their state and the root key', async () => {
  const before = await counter(agent, canisterId).inc();
  const { rootKey } = network;
  await network.close();
  network = await createLocalNetwork({ dataDir, port: 0 });
  expect(network.rootKey).toEqual(rootKey);
  agent = await connect(network.url, owner);
  const actor = counter(agent, canisterId);
  expect(await actor.get()).toBe(before);
  expect(await actor.inc()).toBe(before + 1n);
  const candid = StatePaths.canisterCandid(canisterId);
  expect((await agent.readState({ canisterId }, { paths: [candid] })).values.get(candid)).toContain('inc');
});

test('a second network on the same directory is refused', async () => {
  await expect(createLocalNetwork({ dataDir, port: 0 })).rejects.toThrow();
  expect(await counter(agent, canisterId).get()).toBeGreaterThan(0n);
});

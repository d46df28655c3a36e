import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { PocketIc } from '@dfinity/pic';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { hashOf, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { encode } from 'cborg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wat } from '../../../wasm/test/wasm.ts';
import {
  CLOCKWORK_WAT,
  type Tested,
  TESTED_SOURCE,
  testedInterface,
} from '../../test/canisters/test-canisters.ts';
import { compileMotoko } from '../../test/compile-motoko.ts';
import { startPocketIc, type PocketIc as Program } from './server.ts';

/**
 * What the clients for Rust and Python send, and what they read in the answers, by their sources: `packages/pocket-ic/src` of dfinity/ic
 * and `pocket_ic` of dfinity/pocketic-py.
 */

let program: Program;
let url: string;

beforeAll(async () => {
  program = await startPocketIc({ port: 0 });
  url = `http://127.0.0.1:${program.port}`;
});
afterAll(() => program[Symbol.asyncDispose]());

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

interface Created {
  readonly Created: {
    readonly instance_id: number;
    readonly topology: { readonly subnet_configs: Record<string, Record<string, unknown>> };
    readonly http_gateway_info: { readonly instance_id: number; readonly port: number } | null;
  };
}

/** The fields that the client for Rust sends, with nothing asked for. */
const FROM_RUST = {
  subnet_config_set: {
    nns: { state_config: 'New', instruction_config: 'Production' },
    sns: null,
    ii: null,
    fiduciary: null,
    bitcoin: null,
    system: [],
    application: [{ state_config: 'New', instruction_config: 'Benchmarking' }],
    verified_application: [{ state_config: 'New', instruction_config: 'Production' }],
  },
  http_gateway_config: null,
  state_dir: null,
  icp_config: { beta_features: null, canister_backtrace: 'Enabled' },
  log_level: null,
  bitcoind_addr: null,
  dogecoind_addr: null,
  icp_features: { registry: null, cycles_minting: null, icp_token: null, nns_ui: null },
  incomplete_state: null,
  initial_time: null,
  mainnet_nns_subnet_id: null,
};

async function instance(fields: Record<string, unknown> = {}): Promise<Created['Created']> {
  return ((await ask('POST', '/instances', { ...FROM_RUST, ...fields })).body as Created).Created;
}

describe('the client for Rust', () => {
  let id: number;
  let clockwork: Uint8Array;

  beforeAll(async () => {
    ({ instance_id: id } = await instance());
    clockwork = await makeClockwork();
  });

  async function call(
    method: string,
    payload: Uint8Array,
    canister = new Uint8Array(),
    about?: Uint8Array,
  ): Promise<Uint8Array> {
    const submitted = await ask('POST', `/instances/${id}/update/submit_ingress_message`, {
      sender: 'BA==',
      canister_id: base64(canister),
      effective_principal: about ? { CanisterId: base64(about) } : 'None',
      method,
      payload: base64(payload),
    });
    const { Ok } = submitted.body as { Ok: unknown };
    const awaited = await ask('POST', `/instances/${id}/update/await_ingress_message`, Ok);
    return Uint8Array.from(Buffer.from((awaited.body as { Ok: string }).Ok, 'base64'));
  }

  async function makeClockwork(): Promise<Uint8Array> {
    const made = IDL.Record({ canister_id: IDL.Principal });
    const empty = IDL.encode([IDL.Record({})], [{}]);
    const [{ canister_id }] = IDL.decode(
      [made],
      await call('provisional_create_canister_with_cycles', empty),
    ) as unknown as [{ canister_id: Principal }];
    const code = IDL.Record({
      mode: IDL.Variant({ install: IDL.Null }),
      canister_id: IDL.Principal,
      wasm_module: IDL.Vec(IDL.Nat8),
      arg: IDL.Vec(IDL.Nat8),
    });
    const arg = IDL.encode(
      [code],
      [{ mode: { install: null }, canister_id, wasm_module: wat(CLOCKWORK_WAT), arg: [] }],
    );
    await call('install_code', arg, new Uint8Array(), canister_id.toUint8Array());
    return canister_id.toUint8Array();
  }

  test('reads the topology, with every kind of subnet and what was said of it', async () => {
    for (const path of ['read/topology', '_/topology']) {
      const { body } = await ask('GET', `/instances/${id}/${path}`);
      const configs = Object.values((body as Created['Created']['topology']).subnet_configs);
      expect(configs.map(({ subnet_kind }) => subnet_kind)).toEqual([
        'Application',
        'VerifiedApplication',
        'NNS',
      ]);
      expect(configs[0]).toMatchObject({ instruction_config: 'Benchmarking', cost_schedule: 'Normal' });
      expect(configs.map(({ subnet_seed }) => (subnet_seed as number[]).length)).toEqual([32, 32, 32]);
    }
  });

  test('reads null where there is nothing to say, and may send an empty text', async () => {
    const nothing = { status: 200, body: null };
    expect(await ask('POST', `/instances/${id}/update/tick`, { blockmakers: null })).toEqual(nothing);
    expect(
      await ask('POST', `/instances/${id}/update/set_time`, {
        nanos_since_epoch: 1_700_000_000_000_000 * 1000,
      }),
    ).toEqual(nothing);
    expect(await ask('POST', `/instances/${id}/auto_progress`, { artificial_delay_ms: null })).toEqual(
      nothing,
    );
    expect(await ask('POST', `/instances/${id}/stop_progress`, '')).toEqual(nothing);
    expect(
      await ask('POST', `/instances/${id}/update/tick`, { blockmakers: { blockmakers_per_subnet: [] } }),
    ).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^blockmakers is not available/) as string },
    });
  });

  test('packs blobs by gzip', async () => {
    const blob = gzipSync(Buffer.alloc(65_536 * 2, 'stable!!'));
    const upload = (body: Uint8Array, encoding: string): Promise<Response> =>
      fetch(`${url}/blobstore/`, {
        method: 'POST',
        body: Uint8Array.from(body),
        headers: { 'content-encoding': encoding },
      });
    const name = await (await upload(blob, 'gzip')).text();
    expect(name).toBe(createHash('sha256').update(blob).digest('hex'));
    const set = (blobId: string): Promise<{ status: number; body: unknown }> =>
      ask('POST', `/instances/${id}/update/set_stable_memory`, {
        canister_id: base64(clockwork),
        blob_id: base64(Buffer.from(blobId, 'hex')),
      });
    expect(await set(name)).toEqual({ status: 200, body: null });
    const { body } = await ask('POST', `/instances/${id}/read/get_stable_memory`, {
      canister_id: base64(clockwork),
    });
    const stable = Buffer.from((body as { blob: string }).blob, 'base64');
    expect([stable.length, stable.toString('latin1', 0, 8)]).toEqual([131_072, 'stable!!']);
    expect((await upload(blob, 'br')).status).toBe(415);
    expect(await set(await (await upload(Buffer.from('no gzip'), 'gzip')).text())).toMatchObject({
      status: 400,
    });
    // A small upload does not become memory without end.
    const bomb = gzipSync(Buffer.alloc(257 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(300_000);
    expect(await set(await (await upload(bomb, 'gzip')).text())).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/more than 268435456 bytes/) as string },
    });
  });

  test('reads the names of errors', async () => {
    const query = (canister: Uint8Array, method: string): Promise<{ status: number; body: unknown }> =>
      ask('POST', `/instances/${id}/read/query`, {
        sender: 'BA==',
        canister_id: base64(canister),
        effective_principal: 'None',
        method,
        payload: '',
      });
    expect((await query(clockwork, 'nothing')).body).toMatchObject({
      Err: { reject_code: 'CanisterError', error_code: 'CanisterMethodNotFound', certified: false },
    });
    // An ID of a subnet, without a canister.
    const unused = Principal.fromText('rwlgt-iiaaa-aaaaa-aaaaa-cai').toUint8Array();
    expect((await query(unused, 'nothing')).body).toMatchObject({
      Err: { reject_code: 'DestinationInvalid', error_code: 'CanisterNotFound' },
    });
    expect(await query(Uint8Array.of(4), 'nothing')).toEqual({
      status: 400,
      body: { message: 'Canister 2vxsx-fae does not belong to any subnet.' },
    });
  });

  test('may not ask for the call of another', async () => {
    const submitted = await ask('POST', `/instances/${id}/update/submit_ingress_message`, {
      sender: 'BA==',
      canister_id: base64(clockwork),
      effective_principal: 'None',
      method: 'every hour',
      payload: '',
    });
    const raw_message_id = (submitted.body as { Ok: unknown }).Ok;
    const status = (raw_caller: unknown): Promise<{ status: number; body: unknown }> =>
      ask('POST', `/instances/${id}/read/ingress_status`, { raw_message_id, raw_caller });
    expect(await status(null)).toEqual({ status: 200, body: null });
    await ask('POST', `/instances/${id}/update/tick`, {});
    expect(await status({ principal_id: base64(Uint8Array.of(1, 2)) })).toMatchObject({ status: 403 });
    expect(await status({ principal_id: 'BA==' })).toEqual({ status: 200, body: { Ok: '' } });
  });

  test('has an instance with a gateway, agents at its own address, and deletes it with a slash', async () => {
    const live = await instance({
      initial_time: { AutoProgress: {} },
      http_gateway_config: { ip_addr: null, port: null, domains: null, https_config: null },
    });
    const port = live.http_gateway_info?.port;
    const gateways = (await ask('GET', '/http_gateway')).body as { port: number }[];
    expect(gateways.some((each) => each.port === port)).toBe(true);
    for (const host of [`http://127.0.0.1:${port}`, `${url}/instances/${live.instance_id}/`]) {
      const status = await fetch(new URL('api/v2/status', host.endsWith('/') ? host : `${host}/`));
      expect([status.status, status.headers.get('content-type')]).toEqual([200, 'application/cbor']);
    }
    expect(
      (await ask('POST', '/instances', { ...FROM_RUST, http_gateway_config: { port } })).body,
    ).toMatchObject({
      Error: { message: expect.stringMatching(/in use/) as string },
    });
    const before = (await ask('GET', '/instances')).body as string[];
    expect(before.at(-1)).toBe('Deleted');
    await fetch(`${url}/instances/${live.instance_id}/`, { method: 'DELETE' });
    expect(((await ask('GET', '/instances')).body as string[])[live.instance_id]).toBe('Deleted');
    await expect(fetch(`http://127.0.0.1:${port}/api/v2/status`)).rejects.toThrow();
  });

  test('drops results that it has read', async () => {
    const nobody = '00000000-0000-0000-0000-000000000000';
    expect((await ask('DELETE', `/prune_graph/${nobody}/${nobody}`)).status).toBe(404);
  });
});

test('an agent signs calls at the address of an instance', async () => {
  const pic = await PocketIc.create(url);
  const canisterId = await pic.createCanister();
  await pic.installCode({ canisterId, wasm: wat(CLOCKWORK_WAT) });
  await pic.setTime(Date.now());
  await pic.tick();
  const list = (await ask('GET', '/instances')).body as string[];
  const host = `${url}/instances/${list.length - 1}/`;
  const fetchThere: typeof fetch = (input, init) =>
    fetch(String(input).replace(`${url}/api`, `${host}api`), init);
  const agent = await HttpAgent.create({
    host: url,
    fetch: fetchThere,
    shouldFetchRootKey: true,
    shouldSyncTime: true,
  });
  const answer = await agent.query(canisterId, { methodName: 'pages', arg: IDL.encode([], []) });
  expect(answer).toMatchObject({ status: 'replied' });
  await pic.tearDown();
});

describe('a signature by a canister', () => {
  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
  const message = utf8('said');
  const seed = utf8('user 1');
  let pic: PocketIc;
  let sent: { msg: string; sig: string; pubkey: string; root_pubkey: string };

  beforeAll(async () => {
    pic = await PocketIc.create(url);
    const { actor, canisterId } = await pic.setupCanister<Tested>({
      idlFactory: testedInterface,
      wasm: compileMotoko(TESTED_SOURCE),
    });
    const said = labeled(sha256(message), leaf(new Uint8Array()));
    const tree = labeled(utf8('sig'), labeled(sha256(seed), said));
    await actor.certify(hashOf(tree));
    const [certificate] = await actor.certificate();
    const id = canisterId.toUint8Array();
    const bits = Buffer.concat([Buffer.of(0, id.length), id, seed]);
    const body = Buffer.concat([
      Buffer.from('300c060a2b0601040183b8430102', 'hex'),
      Buffer.of(0x03, bits.length),
      bits,
    ]);
    const [subnet] = await pic.getApplicationSubnets();
    if (!subnet) throw new Error('there is no subnet');
    sent = {
      msg: base64(message),
      sig: base64(encode({ certificate, tree: treeToCbor(tree) })),
      pubkey: base64(Buffer.concat([Buffer.of(0x30, body.length), body])),
      root_pubkey: base64(Uint8Array.from(await pic.getPubKey(subnet.id))),
    };
  });
  afterAll(() => pic.tearDown());

  test('is checked against the root key of an instance', async () => {
    const check = async (changed: Partial<typeof sent>): Promise<unknown> =>
      (await ask('POST', '/verify_signature', { ...sent, ...changed })).body;
    expect(await check({})).toEqual({ Ok: null });
    const refused = { Err: expect.any(String) as string };
    expect(await check({ msg: base64(utf8('other')) })).toEqual(refused);
    expect(await check({ root_pubkey: base64(new Uint8Array(133)) })).toEqual(refused);
    for (const field of ['sig', 'pubkey'] as const)
      for (const bytes of [new Uint8Array(), new Uint8Array(100_000), utf8('x')])
        expect(await check({ [field]: base64(bytes) })).toEqual(refused);
    expect((await ask('POST', '/verify_signature', {})).status).toBe(400);
  });
});

test('the client for Python has what it asks for', async () => {
  const config = { state_config: 'New', instruction_config: 'Production' };
  const { Created } = (
    await ask('POST', '/instances', {
      subnet_config_set: {
        application: [config],
        bitcoin: null,
        fiduciary: null,
        ii: null,
        nns: config,
        sns: null,
        system: [],
        verified_application: [],
      },
      state_dir: null,
      nonmainnet_features: false,
      log_level: null,
      bitcoind_addr: null,
    })
  ).body as Created;
  const id = Created.instance_id;
  const { body } = await ask('GET', `/instances/${id}/read/topology`);
  const nns = Object.entries((body as Created['Created']['topology']).subnet_configs).find(
    ([, { subnet_kind }]) => subnet_kind === 'NNS',
  );
  const key = await ask('POST', `/instances/${id}/read/pub_key`, {
    subnet_id: base64(Principal.fromText(nns?.[0] ?? '').toUint8Array()),
  });
  expect(key.body).toHaveLength(133);
});

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Actor,
  generateRandomIdentity,
  IcpFeaturesConfig,
  PocketIc,
  SubnetStateType,
} from '@dfinity/pic';
import { Actor as AgentActor, HttpAgent } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wat } from '../../../wasm/test/wasm.ts';
import {
  CLOCKWORK_WAT,
  type Fetched,
  type Tested,
  TESTED_SOURCE,
  testedInterface,
} from '../../test/canisters/test-canisters.ts';
import { compileMotoko } from '../../test/compile-motoko.ts';
import { startPocketIc, type PocketIc as Program } from './server.ts';

/** PicJS, unmodified, against the program; what it does not send is sent by `fetch`. */

const NEW = { state: { type: SubnetStateType.New } } as const;
const HOUR_MILLIS = 3_600_000;
const stateDir = mkdtempSync(join(tmpdir(), 'cannery-pic-states-'));
let program: Program;
let url: string;

beforeAll(async () => {
  program = await startPocketIc({ port: 0, stateDir });
  url = `http://127.0.0.1:${program.port}`;
});

afterAll(async () => {
  await program[Symbol.asyncDispose]();
  rmSync(stateDir, { recursive: true, force: true });
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
}

/** What the program says where it refuses. */
async function refusal(path: string, body: unknown): Promise<string> {
  const answer = (await (await post(path, body)).json()) as { Error?: { message: string }; message?: string };
  return answer.Error?.message ?? answer.message ?? 'not refused';
}

describe('one instance', () => {
  let pic: PocketIc;
  let tested: Actor<Tested>;
  let testedId: Principal;
  let clockwork: Principal;

  /** What `counts` of the clockwork replies. */
  async function counts(): Promise<{ timers: bigint; beats: bigint; time: bigint }> {
    const reply = await pic.queryCall({ canisterId: clockwork, method: 'counts' });
    const view = new DataView(reply.buffer, reply.byteOffset);
    const [timers, beats, time] = [0, 8, 16].map((at) => view.getBigUint64(at, true));
    return { timers: timers ?? 0n, beats: beats ?? 0n, time: time ?? 0n };
  }

  beforeAll(async () => {
    pic = await PocketIc.create(url);
    const wasm = compileMotoko(TESTED_SOURCE);
    ({ actor: tested, canisterId: testedId } = await pic.setupCanister<Tested>({
      idlFactory: testedInterface,
      wasm,
    }));
    clockwork = await pic.createCanister();
    await pic.installCode({ canisterId: clockwork, wasm: wat(CLOCKWORK_WAT) });
  });

  afterAll(() => pic.tearDown());

  test('any principal may call, and nothing is carried out before a round', async () => {
    const deferred = pic.createDeferredActor<Tested>(testedInterface, testedId);
    const before = await tested.get();
    const finish = await deferred.inc();
    expect(await tested.get()).toBe(before);
    expect(await finish()).toBe(before + 1n);
    const someone = generateRandomIdentity();
    tested.setIdentity(someone);
    expect((await tested.whoami()).toText()).toBe(someone.getPrincipal().toText());
    tested.setPrincipal(Principal.anonymous());
  });

  test('time begins in the past and passes in rounds only', async () => {
    const start = await pic.getTime();
    expect(new Date(start).getUTCFullYear()).toBe(2021);
    const { time } = await counts();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await counts()).time).toBe(time);
    await pic.tick(3);
    expect((await counts()).time).toBe(time + 3n);
  });

  test('a jump in time fires a timer once, and each round a heartbeat', async () => {
    await pic.updateCall({ canisterId: clockwork, method: 'every hour' });
    const before = await counts();
    expect(before.timers).toBe(0n);
    await pic.advanceTime(1_000 * HOUR_MILLIS);
    expect(await counts()).toEqual(before);
    await pic.tick();
    const after = await counts();
    expect(after).toMatchObject({ timers: 1n, beats: before.beats + 1n });
    await pic.tick(2);
    expect(await counts()).toMatchObject({ timers: 1n, beats: before.beats + 3n });
    await pic.advanceTime(HOUR_MILLIS);
    await pic.tick();
    expect((await counts()).timers).toBe(2n);
  });

  test('time is never set back', async () => {
    await expect(pic.setTime(new Date('2020-01-01'))).rejects.toThrow(/SettingTimeIntoPast/);
  });

  test('cycles come from nothing and without a fee', async () => {
    const before = await pic.getCyclesBalance(clockwork);
    expect(await pic.addCycles(clockwork, 123_456_789_012_345_678_901n)).toBe(
      before + 123_456_789_012_345_678_901n,
    );
    expect(await pic.getCyclesBalance(clockwork)).toBe(before + 123_456_789_012_345_678_901n);
    await expect(pic.getCyclesBalance(Principal.fromUint8Array(Uint8Array.of(1)))).rejects.toThrow(
      /CanisterNotFound/,
    );
  });

  test('stable memory is read and replaced, also over a reinstallation', async () => {
    const store = (bytes: string): Promise<Uint8Array> =>
      pic.updateCall({ canisterId: clockwork, method: 'store', arg: Buffer.from(bytes) });
    const stored = async (): Promise<string> =>
      Buffer.from(await pic.queryCall({ canisterId: clockwork, method: 'stored' })).toString();
    await store('remember');
    const saved = await pic.getStableMemory(clockwork);
    expect(saved).toHaveLength(65_536);
    await store('all gone');
    expect(await stored()).toBe('all gone');
    await pic.reinstallCode({ canisterId: clockwork, wasm: wat(CLOCKWORK_WAT) });
    await pic.setStableMemory(clockwork, saved);
    expect(await stored()).toBe('remember');
    await pic.setStableMemory(clockwork, new Uint8Array(70_000).fill(65));
    expect(await stored()).toBe('AAAAAAAA');
    const pages = await pic.queryCall({ canisterId: clockwork, method: 'pages' });
    expect(pages[0]).toBe(2);
  });

  test('a query gets a certificate of the data of its canister', async () => {
    await tested.certify(Uint8Array.of(1, 2, 3));
    const [certificate] = await tested.certificate();
    expect(certificate?.length).toBeGreaterThan(100);
  });

  describe('HTTP requests of canisters', () => {
    type HttpsOutcallResponseMock = Parameters<PocketIc['mockPendingHttpsOutcall']>[0]['response'];

    /** Asks for a request, answers it as said, and returns what the canister got. */
    async function fetched(
      transformed: boolean,
      answer: (pending: Awaited<ReturnType<PocketIc['getPendingHttpsOutcalls']>>[number]) => Promise<void>,
    ): Promise<Fetched> {
      const finish = await pic.createDeferredActor<Tested>(testedInterface, testedId).fetch(transformed);
      await pic.tick(2);
      const [pending, ...others] = await pic.getPendingHttpsOutcalls();
      if (!pending) throw new Error('no request waits');
      expect(others).toEqual([]);
      expect(pending).toMatchObject({
        url: 'https://example.com/x',
        httpMethod: 'POST',
        headers: [['h', 'v']],
      });
      expect(Buffer.from(pending.body).toString()).toBe('sent');
      await answer(pending);
      expect(await pic.getPendingHttpsOutcalls()).toEqual([]);
      return finish();
    }

    const response = (body: string): HttpsOutcallResponseMock => ({
      type: 'success',
      statusCode: 200,
      headers: [['a', 'b']],
      body: Buffer.from(body),
    });

    test('are answered by the test', async () => {
      const got = await fetched(false, ({ requestId, subnetId }) =>
        pic.mockPendingHttpsOutcall({ requestId, subnetId, response: response('made up') }),
      );
      expect(got).toMatchObject({ ok: { status: 200n, headers: [{ name: 'a', value: 'b' }] } });
      expect('ok' in got && Buffer.from(got.ok.body).toString()).toBe('made up');
    });

    test('are transformed, and limited to the size the canister allows', async () => {
      const got = await fetched(true, ({ requestId, subnetId }) =>
        pic.mockPendingHttpsOutcall({ requestId, subnetId, response: response('made up') }),
      );
      expect('ok' in got && Buffer.from(got.ok.body).toString()).toBe('kept');
      const tooLong = await fetched(false, ({ requestId, subnetId }) =>
        pic.mockPendingHttpsOutcall({ requestId, subnetId, response: response('x'.repeat(1_001)) }),
      );
      expect(tooLong).toEqual({ err: 'Http body exceeds size limit of 1000 bytes.' });
    });

    test('fail where the test says so, or where the nodes got different responses', async () => {
      const got = await fetched(false, ({ requestId, subnetId }) =>
        pic.mockPendingHttpsOutcall({
          requestId,
          subnetId,
          response: { type: 'reject', statusCode: 2, message: 'nobody there' },
        }),
      );
      expect(got).toEqual({ err: 'nobody there' });
      const split = await fetched(false, ({ requestId, subnetId }) =>
        pic.mockPendingHttpsOutcall({
          requestId,
          subnetId,
          response: response('one'),
          additionalResponses: Array.from({ length: 12 }, () => response('other')),
        }),
      );
      expect(split).toMatchObject({ err: expect.stringMatching(/^No consensus/) as string });
    });
  });

  test('live, it goes on by itself, and agents and browsers reach it', async () => {
    const port = await pic.makeLive();
    expect(await pic.makeLive()).toBe(port);
    const host = `http://127.0.0.1:${port}`;
    const agent = await HttpAgent.create({ host, shouldFetchRootKey: true });
    const actor = AgentActor.createActor<Tested>(testedInterface, { agent, canisterId: testedId });
    const before = await actor.get();
    expect(await actor.inc()).toBe(before + 1n);
    expect(await tested.inc()).toBe(before + 2n);
    expect(Math.abs((await pic.getTime()) - Date.now())).toBeLessThan(60_000);
    await pic.stopLive();
    await expect(fetch(`${host}/api/v2/status`)).rejects.toThrow();
    const { time } = await counts();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await counts()).time).toBe(time);
  });
});

test('several subnets have their ranges, and their canisters call each other', async () => {
  const pic = await PocketIc.create(url, { nns: NEW, ii: NEW, fiduciary: NEW, application: [NEW, NEW] });
  try {
    const topology = await pic.getTopology();
    expect(topology.map(({ type }) => type)).toEqual([
      'Application',
      'Application',
      'Fiduciary',
      'II',
      'NNS',
    ]);
    const ids: Principal[] = [];
    for (const { id } of topology) {
      const canisterId = await pic.createCanister({ targetSubnetId: id });
      expect((await pic.getCanisterSubnetId(canisterId))?.toText()).toBe(id.toText());
      expect(await pic.getPubKey(id)).toHaveLength(133);
      ids.push(canisterId);
    }
    const ledger = Principal.fromText('ryjl3-tyaaa-aaaaa-aaaba-cai');
    expect((await pic.createCanister({ targetCanisterId: ledger })).toText()).toBe(ledger.toText());
    expect((await pic.getCanisterSubnetId(ledger))?.toText()).toBe((await pic.getNnsSubnet())?.id.toText());
    const identity = Principal.fromText('rdmx6-jaaaa-aaaaa-aaadq-cai');
    await pic.createCanister({ targetCanisterId: identity });
    const iiSubnet = await pic.getInternetIdentitySubnet();
    expect((await pic.getCanisterSubnetId(identity))?.toText()).toBe(iiSubnet?.id.toText());
    const second = await pic.createCanister({ targetSubnetId: topology[1]?.id });
    expect(second.toText()).not.toBe(ids[1]?.toText());
    expect((await pic.getCanisterSubnetId(second))?.toText()).toBe(topology[1]?.id.toText());

    const wasm = compileMotoko(TESTED_SOURCE);
    for (const canisterId of [second, ledger]) await pic.installCode({ canisterId, wasm });
    const caller = pic.createActor<Tested>(testedInterface, second);
    expect(await caller.incOf(ledger)).toBe(1n);
  } finally {
    await pic.tearDown();
  }
});

test('a state is kept under a name, and goes with the instance without one', async () => {
  const request = { subnet_config_set: { application: [{ state_config: 'New' }] }, state_dir: 'kept' };
  const create = async (): Promise<number> => {
    const answer = (await (await post('/instances', request)).json()) as { Created: { instance_id: number } };
    return answer.Created.instance_id;
  };
  const first = await create();
  expect(await refusal('/instances', request)).toMatch(/Another instance has the state/);
  const other = { ...request, subnet_config_set: { system: [{ state_config: 'New' }] } };
  const time = 1_700_000_000_000_000_000;
  await fetch(`${url}/instances/${first}/update/set_certified_time`, {
    method: 'POST',
    body: `{"nanos_since_epoch":${BigInt(time)}}`,
  });
  await fetch(`${url}/instances/${first}`, { method: 'DELETE' });
  expect(await refusal('/instances', other)).toMatch(/was made with the subnets/);
  const again = await create();
  const shown = await (await fetch(`${url}/instances/${again}/read/get_time`)).text();
  expect(shown).toBe('{"nanos_since_epoch":1700000000000000000}');
  await fetch(`${url}/instances/${again}`, { method: 'DELETE' });
  expect(readdirSync(stateDir)).toEqual(['kept']);
});

describe('what is refused', () => {
  const application = [{ state_config: 'New' }];

  test('states of other programs, and every path', async () => {
    const set = { nns: { state_config: { FromPath: '/etc' } }, application };
    expect(await refusal('/instances', { subnet_config_set: set })).toMatch(/states of the real replica/);
    for (const state_dir of ['/etc', '../etc', 'a/b', '.', '..', 'a\0b', 'x'.repeat(65), 7])
      expect(await refusal('/instances', { subnet_config_set: { application }, state_dir })).toMatch(
        /state_dir/,
      );
    const gateway = { forward_to: { PocketIcInstance: 0 } };
    const https = { ...gateway, https_config: { cert_path: '/etc/passwd', key_path: '/etc/passwd' } };
    expect(await refusal('/http_gateway', https)).toMatch(/https_config is not available/);
    expect(await refusal('/http_gateway', { ...gateway, ip_addr: '0.0.0.0' })).toMatch(/on loopback/);
    expect(await refusal('/http_gateway', { forward_to: { Replica: 'http://10.0.0.1/' } })).toMatch(
      /an instance of this program only/,
    );
  });

  test('what is not there', async () => {
    await expect(
      PocketIc.create(url, { icpFeatures: { registry: IcpFeaturesConfig.DefaultConfig } }),
    ).rejects.toThrow('These icp_features are not available here: registry (the registry canister).');
    expect(await refusal('/instances', { subnet_config_set: { application }, dogecoin: {} })).toMatch(
      /dogecoin is not available/,
    );
    expect(await refusal('/instances', { subnet_config_set: {} })).toMatch(/no subnet/);
    const mixed = [{ cost_schedule: 'Free' }, { cost_schedule: 'Normal' }];
    expect(await refusal('/instances', { subnet_config_set: { application: mixed } })).toMatch(
      /with and without/,
    );
    expect(await refusal('/instances/999/update/tick', {})).toMatch(/no instance 999/);
  });

  test('web pages, and names that others may give to this computer', async () => {
    const body = { subnet_config_set: { application } };
    expect((await post('/instances', body, { origin: 'https://evil.example' })).status).toBe(403);
    const status = await new Promise((resolve) =>
      request(`${url}/instances`, { headers: { host: 'evil.example' } }, ({ statusCode }) =>
        resolve(statusCode),
      ).end(),
    );
    expect(status).toBe(421);
  });
});

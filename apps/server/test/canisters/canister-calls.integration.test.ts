import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CanisterCallOutcome, canisterCallOutcome, MAX_CALL_ARGUMENT_BYTES } from '@cannery/contract';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const SOURCE = `import Runtime "mo:core/Runtime";
persistent actor {
  var n = 0;
  var begun = 0;
  var isOpen = false;
  public query ({ caller }) func whoami() : async Principal { caller };
  public func add(some : Nat) : async Nat { n += some; n };
  public query func get() : async Nat { n };
  public func fail(text : Text) : async () { Runtime.trap(text) };
  public func wait() : async Nat { begun += 1; while (not isOpen) { await async {} }; begun };
  public func open() : async () { isOpen := true };
};`;

/** Up to its exports, a module whose function 4 prints its argument and replies with nothing (canister-details.integration.test.ts). */
const BEFORE_EXPORTS = Buffer.from(
  'AGFzbQEAAAABEwRgAAF/YAN/f38AYAJ/fwBgAAACUwQDaWMwEW1zZ19hcmdfZGF0YV9zaXplAAADaWMwEW1zZ19hcmdfZGF0YV9jb3B5AAEDaWMwC2RlYnVnX3ByaW50AAIDaWMwCW1zZ19yZXBseQADAwIBAwUDAQAB',
  'base64',
);
const BEHIND_EXPORTS = Buffer.from('ChQBEgBBAEEAEAAQAUEAEAAQAhADCw==', 'base64');

/** That module with an update method of any name, of at most 110 bytes. */
function moduleWith(method: string): Uint8Array {
  const name = Buffer.from(`canister_update ${method}`);
  const exported = Buffer.from([1, name.length, ...name, 0, 4]);
  return Buffer.concat([BEFORE_EXPORTS, Buffer.from([7, exported.length]), exported, BEHIND_EXPORTS]);
}

let dataDir: string;
let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
let id: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-calls-'));
  server = await startTestServer({
    DATA_DIR: dataDir,
    OPENING_BALANCE_T: '100',
    NETWORK_FEES: 'docs-2026-08',
  });
  [ada, eve] = await Promise.all([ApiClient.signIn(server.url, 'ada'), ApiClient.signIn(server.url, 'eve')]);
  id = await canisterWith(ada, compileMotoko(SOURCE));
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function canisterWith(client: ApiClient, wasm: Uint8Array): Promise<string> {
  const created = await client.create('Called');
  const identifier = await client.uploadWasm(wasm);
  const { status, body } = await client.post('/canister/install', { canister_id: created, identifier });
  if (status !== 200) throw new Error(`install: ${status} ${body.error}`);
  return created;
}

const nat = (value: bigint) => Buffer.from(IDL.encode([IDL.Nat], [value])).toString('hex');
const valueIn = (hex: string, type: IDL.Type) =>
  IDL.decode([type], new Uint8Array(Buffer.from(hex, 'hex')))[0];

function send(body: object, key?: string, client = ada): Promise<Answer> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return client.post('/canister/call', { canister_id: id, ...body }, headers);
}

async function call(body: object, key?: string): Promise<CanisterCallOutcome> {
  const { status, body: answer } = await send(body, key);
  expect(status, answer.error).toBe(200);
  return canisterCallOutcome.parse(answer);
}

async function replyTo(body: object, type: IDL.Type, key?: string): Promise<unknown> {
  const outcome = await call(body, key);
  if (outcome.status !== 'replied') throw new Error(JSON.stringify(outcome));
  return valueIn(outcome.reply_hex, type);
}

describe('POST /canister/call', () => {
  test('a query and an update are made by the controller of the canister', async () => {
    const { body } = await ada.get(`/canister/details/${id}`);
    const caller = (await replyTo({ method: 'whoami', as_query: true }, IDL.Principal)) as Principal;
    expect(caller.toText()).toBe(body.console_principal);
    expect(caller.isAnonymous()).toBe(false);
    const added = await call({ method: 'add', argument_hex: nat(5n) });
    expect(added).toMatchObject({ status: 'replied', caller: body.console_principal });
    // What an update costs is more than nothing, and far less than a trillion.
    const { cycles } = added as { cycles: string };
    expect(BigInt(cycles)).toBeGreaterThan(0n);
    expect(BigInt(cycles)).toBeLessThan(10n ** 12n);
    expect(await replyTo({ method: 'get', as_query: true }, IDL.Nat)).toBe(5n);
  });

  test('a refusal of the canister is an outcome with its codes and its whole text', async () => {
    const text = `on purpose\n${'x'.repeat(500)}`;
    const argument_hex = Buffer.from(IDL.encode([IDL.Text], [text])).toString('hex');
    expect(await call({ method: 'fail', argument_hex })).toMatchObject({
      status: 'rejected',
      reject_code: 5,
      error_code: 'IC0503',
      reject_message: expect.stringContaining(text),
    });
    expect(await call({ method: 'nowhere', as_query: true })).toMatchObject({
      status: 'rejected',
      reject_code: 5,
      error_code: 'IC0536',
    });
  });

  test('a request that is sent again is carried out once, and another one by itself', async () => {
    const before = (await replyTo({ method: 'get', as_query: true }, IDL.Nat)) as bigint;
    const body = {
      method: 'add',
      argument_hex: nat(1n),
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => replyTo(body, IDL.Nat, key)));
    expect(answers).toEqual([before + 1n, before + 1n, before + 1n]);
    expect(await replyTo(body, IDL.Nat, randomUUID())).toBe(before + 2n);
    expect(await replyTo({ ...body, argument_hex: nat(2n) }, IDL.Nat, key)).toBe(before + 4n);
    expect(await replyTo({ ...body, expires_at: undefined }, IDL.Nat)).toBe(before + 5n);
  });

  test('a call of a canister that does not answer holds nobody else up, and its outcome can be asked for', async () => {
    const expires_at = new Date(Date.now() + 120_000).toISOString();
    const keys = [1, 2, 3, 4].map(() => randomUUID());
    // The query below may have the place of one of them, which is then sent again.
    const begin = async (key: string): Promise<CanisterCallOutcome> => {
      const { status, body } = await send({ method: 'wait', expires_at }, key);
      return status === 429 ? begin(key) : canisterCallOutcome.parse(body);
    };
    const waiting = Promise.all(keys.map(begin));
    await expect
      .poll(async () => (await send({ method: 'get', as_query: true })).body.code, { timeout: 10_000 })
      .toBe('rate_limited');
    const other = await canisterWith(eve, compileMotoko(SOURCE));
    const fifth = await send({ canister_id: other, method: 'get', as_query: true }, undefined, eve);
    expect(fifth.status, fifth.body.error).toBe(200);
    expect(await waiting).toMatchObject(keys.map(() => ({ status: 'pending' })));
    await call({ method: 'open' });
    for (const key of keys) {
      expect(await replyTo({ method: 'wait', expires_at }, IDL.Nat, key)).toBe(4n);
    }
  });
});

describe('what a call may not do', () => {
  test("[AUTH-16] somebody else's canister, the management canister and what is none answer alike", async () => {
    const foreign = await eve.create('Not yours');
    const absent = await ada.create('Gone soon');
    await ada.post('/canister/stop', { canister_id: absent });
    expect((await ada.post('/canister/delete', { canister_id: absent })).status).toBe(200);
    const { body } = await ada.get(`/canister/details/${id}`);
    const ids = [
      foreign,
      absent,
      'aaaaa-aa',
      'AAAAA-AA',
      ' aaaaa-aa',
      String(body.console_principal),
      '../x',
    ];
    for (const canister_id of ids) {
      const answer = await send({ canister_id, method: 'canister_status', argument_hex: nat(1n) });
      expect([answer.status, answer.body.code, answer.body.error], canister_id).toEqual([
        404,
        'not_found',
        'Canister not found.',
      ]);
    }
    expect((await send({ canister_id: '', method: 'x' })).status).toBe(400);
  });

  test('a row of the management canister, however it came to be, opens nothing', async () => {
    const db = openDatabase(embeddedConnection(dataDir), 1);
    const profile = await ada.get('/user/profile');
    await db
      .insertInto('canisters')
      .values({
        id: 'aaaaa-aa',
        user_id: String(profile.body.id),
        name: 'Forged',
        cycles: 0n,
        status: 'running',
        module_hash: null,
        updated_at: null,
        refreshed_at: null,
        controllers: [],
        logs_fetched_at: null,
        action_id: null,
        action_expires_at: null,
      })
      .execute();
    const before = (await ada.get(`/canister/details/${id}`)).body.status;
    const stop = IDL.encode(
      [IDL.Record({ canister_id: IDL.Principal })],
      [{ canister_id: Principal.fromText(id) }],
    );
    const answer = await send({
      canister_id: 'aaaaa-aa',
      method: 'stop_canister',
      argument_hex: Buffer.from(stop).toString('hex'),
    });
    await db.deleteFrom('canisters').where('id', '=', 'aaaaa-aa').execute();
    await db.destroy();
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await ada.get(`/canister/details/${id}`)).body.status).toBe(before);
  });

  test('a canister that somebody has taken from the console is not called', async () => {
    const taken = await canisterWith(ada, compileMotoko(SOURCE));
    const controllers = [Ed25519KeyIdentity.generate().getPrincipal().toText()];
    const handed = await ada.post('/canister/settings', {
      canister_id: taken,
      settings: { controllers },
      give_up_control: true,
    });
    expect(handed.status, handed.body.error).toBe(200);
    const answer = await send({ canister_id: taken, method: 'add', argument_hex: nat(5n) });
    expect([answer.status, answer.body.code]).toEqual([400, 'network_rejected']);
    expect(answer.body.detail).toContain('IC0512');
  });

  test('nor is one of which everybody may read the status', async () => {
    const taken = await canisterWith(ada, compileMotoko(SOURCE));
    const handed = await ada.post('/canister/settings', {
      canister_id: taken,
      settings: {
        controllers: [Ed25519KeyIdentity.generate().getPrincipal().toText()],
        status_visibility: 'public',
      },
      give_up_control: true,
    });
    expect(handed.status, handed.body.error).toBe(200);
    for (const [method, argument_hex, as_query] of [
      ['add', nat(5n), false],
      ['whoami', '4449444c0000', true],
    ] as const) {
      const answer = await send({ canister_id: taken, method, argument_hex, as_query });
      expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([
        400,
        'network_rejected',
      ]);
    }
  });

  test('arguments have a bound, and are bytes', async () => {
    const most = 'ab'.repeat(MAX_CALL_ARGUMENT_BYTES);
    expect(await call({ method: 'add', argument_hex: most })).toMatchObject({ status: 'rejected' });
    const tooLong = await send({ method: 'add', argument_hex: `${most}ab` });
    expect([tooLong.status, tooLong.body.code]).toEqual([400, 'invalid_input']);
    expect((await send({ method: 'add', argument_hex: 'ab'.repeat(1024 * 1024) })).status).toBe(413);
    for (const argument_hex of ['a', 'zz', '0x00', 5, null, ['00']]) {
      expect((await send({ method: 'add', argument_hex })).body.code, String(argument_hex)).toBe(
        'invalid_input',
      );
    }
    for (const method of ['', 5, null, 'x'.repeat(20_001)]) {
      expect((await send({ method })).body.code).toBe('invalid_input');
    }
    for (const expires_at of ['soon', '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', 5]) {
      expect((await send({ method: 'open', expires_at })).body.code, String(expires_at)).toBe(
        'invalid_input',
      );
    }
  });

  test.each(['say "`$(reboot)`\'\n\r', '../../call', '; drop table canisters', '\u202e名前 🍞', '__proto__'])(
    'a method may be called %j',
    async (method) => {
      const hostile = await canisterWith(ada, moduleWith(method));
      expect(await call({ canister_id: hostile, method })).toMatchObject({
        status: 'replied',
        reply_hex: '',
      });
      expect(await call({ canister_id: hostile, method: `${method} ` })).toMatchObject({
        error_code: 'IC0536',
      });
    },
  );

  test('the key of one user says nothing to another', async () => {
    const other = await canisterWith(eve, compileMotoko(SOURCE));
    const key = randomUUID();
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const body = { canister_id: other, method: 'add', argument_hex: nat(1n), expires_at };
    expect((await send(body, key)).status).toBe(404);
    expect((await send(body, key, eve)).body.status).toBe('replied');
  });
});

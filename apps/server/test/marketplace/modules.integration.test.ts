import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { Schema } from '../../src/db/tables/schema.ts';
import { moduleFacts } from '../../src/features/document/learn-facts.ts';
import { ApiClient } from '../support/client.ts';
import { custom, HEADER, moduleOf, section } from '../support/modules.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let dataDir: string;
let server: Awaited<ReturnType<typeof startTestServer>>;
let db: Kysely<Schema>;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-modules-'));
  server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
  db = openDatabase(embeddedConnection(dataDir), 2);
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});
afterAll(async () => {
  await db?.destroy();
  await server?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const upload = (client: ApiClient, bytes: Uint8Array) => client.upload('/document/upload', 'wasm', bytes);

async function storedNames(): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const SOURCE = `persistent actor class Counter(start : Nat) {
  var count = start;
  public func increment() : async Nat { count += 1; count };
  public query func read() : async Nat { count };
};
`;

test('what a module tells of itself is known once it is uploaded, packed or not', async () => {
  const wasm = compileMotoko(SOURCE);
  const packed = gzipSync(wasm);
  for (const bytes of [wasm, packed]) {
    const { body } = await upload(ada, bytes);
    expect(body.warnings).toEqual([]);
    expect(await moduleFacts(db, String(body.identifier))).toEqual({
      size: bytes.length,
      unpackedSize: wasm.length,
      unpackedSha256: createHash('sha256').update(wasm).digest('hex'),
      exports: expect.arrayContaining(['canister_update increment', 'canister_query read', 'canister_init']),
      candid: expect.stringMatching(/increment: \(\) -> \(nat\)/),
      candidArgs: expect.stringMatching(/^\(start:\s+nat\)$/),
      stableTypes: expect.stringMatching(/stable count : Nat|count : Nat/),
      keepsMemory: true,
      warnings: [],
    });
  }
});

test('versions are compared also when they were uploaded before modules were looked into: lost main memory is told', async () => {
  const wasm = compileMotoko(SOURCE);
  const identifiers = [wasm, moduleOf({ exports: ['canister_query read'] }), wasm];
  const [first, second] = await Promise.all(identifiers.map((bytes) => ada.uploadWasm(bytes)));
  const { body: added } = await ada.post('/registry/add', { name: 'Old', identifier: first });
  await ada.post(`/registry/update/${String(added.id)}`, { name: 'Old', identifier: second });
  await ada.post(`/registry/update/${String(added.id)}`, { name: 'Old', identifier: first });
  // As a release has left them that kept nothing of a module, and one that did not ask for the memory.
  await db.deleteFrom('modules').where('identifier', '=', String(second)).execute();
  await db
    .updateTable('modules')
    .set({ keeps_memory: null })
    .where('identifier', '=', String(first))
    .execute();
  const dataFrom = async (from: number, to: number): Promise<unknown> =>
    (await ada.get(`/registry/${String(added.id)}/compare?from=${from}&to=${to}`)).body.stable_memory;
  const reason =
    'Version 1 keeps its data in main memory across upgrades (enhanced orthogonal persistence), but version 2 cannot take it over.';
  expect(await dataFrom(1, 2)).toEqual({ verdict: 'breaking', reasons: [reason] });
  expect(await dataFrom(2, 1)).toMatchObject({ verdict: 'unknown' });
  expect(await dataFrom(1, 3)).toEqual({ verdict: 'compatible' });
  expect(await moduleFacts(db, String(second))).toMatchObject({ exports: ['canister_query read'] });
  expect((await ada.get(`/registry/${String(added.id)}/versions/2`)).body).toMatchObject({
    exports: ['canister_query read'],
  });
});

test('a module without a function of a canister is stored, with a warning', async () => {
  const { status, body } = await upload(ada, moduleOf({ exports: ['main'] }));
  expect(status).toBe(200);
  expect(body.warnings).toEqual([
    'This module exports no function of a canister. It can be installed, but nobody can call it.',
  ]);
});

describe('a module that no canister can run is refused with the reason, and nothing is stored', () => {
  const CANNOT = 'This module cannot be installed in a canister.';
  const NOT_WASM = 'Invalid file format. Only WASM allowed.';
  test.each([
    [
      'a function of a browser',
      CANNOT,
      moduleOf({ imports: [['env', 'alert']] }),
      /function 'alert' from 'env'/,
    ],
    [
      'a function of another module',
      CANNOT,
      moduleOf({ imports: [['wasi', 'trap']] }),
      /imports function "trap" from "wasi"/,
    ],
    ['a wrong signature', CANNOT, moduleOf({ imports: [['ic0', 'trap']] }), /Expected input params/],
    ['a reserved export', CANNOT, moduleOf({ exports: ['canister_secret'] }), /canister_secret/],
    [
      'metadata twice',
      CANNOT,
      moduleOf({ after: [custom('icp:public a'), custom('icp:public a')] }),
      /already exists/,
    ],
    [
      'metadata without scope',
      CANNOT,
      moduleOf({ after: [custom('icp:secret a')] }),
      /no public\/private scope/,
    ],
    [
      'more methods than 1,000',
      CANNOT,
      moduleOf({ exports: Array.from({ length: 1001 }, (_, at) => `canister_query ${at}`) }),
      /exceeds 1000/,
    ],
    [
      'a body that is no code',
      NOT_WASM,
      Buffer.concat([
        HEADER,
        section(1, Buffer.from([1, 0x60, 0, 0])),
        section(3, Buffer.from([1, 0])),
        section(10, Buffer.from([1, 2, 0, 0xff])),
      ]),
      /Failed to validate/,
    ],
    [
      'a section that ends nowhere',
      NOT_WASM,
      Buffer.concat([HEADER, Buffer.from([1, 0xff, 0xff, 0x03, 1])]),
      /./,
    ],
  ])('[VAL-10] %s', async (_what, message, bytes, reason) => {
    const before = await storedNames();
    for (const sent of [bytes, gzipSync(bytes)]) {
      const { status, body } = await upload(ada, sent);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'invalid_wasm',
        error: message,
        detail: expect.stringMatching(reason),
      });
    }
    expect(await storedNames()).toEqual(before);
  });
});

describe('[AUTH-16] a module that somebody else has uploaded', () => {
  test('is stored once, and each owner has it alone', async () => {
    const bytes = moduleOf({ after: [custom('of both')] });
    const first = await upload(ada, bytes);
    const before = await storedNames();
    const second = await upload(eve, bytes);
    expect(second.body).toEqual(first.body);
    expect(await storedNames()).toEqual(before);
  });

  test('takes as long as one that nobody has', async () => {
    const fresh = (at: number) => moduleOf({ after: [custom(`fresh ${at}`, Buffer.alloc(200_000, at))] });
    for (let at = 0; at < 7; at += 1) await upload(ada, fresh(at));
    const timed = async (bytes: Buffer): Promise<number> => {
      const start = performance.now();
      expect((await upload(eve, bytes)).status).toBe(200);
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let at = 0; at < 7; at += 1) {
      known.push(await timed(fresh(at)));
      unknown.push(await timed(fresh(at + 100)));
    }
    // What else the machine does makes all but the shortest time longer.
    const ratio = Math.min(...known) / Math.min(...unknown);
    // Receiving, hashing, checking and storing is all of it; leaving out any part for known content would show.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

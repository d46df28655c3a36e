import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDL } from '@icp-sdk/core/candid';
import { HttpAgent } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import type { AppContext } from '../../src/context.ts';
import { AppError } from '../../src/errors.ts';
import { missingAfter } from '../../src/features/canister/core/refusals.ts';
import { certifiedTime, leafIn } from '../../src/ic/agent/certified.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import type { IcClient } from '../../src/ic/ic-client.ts';
import {
  LONGEST_TEXT,
  maybeOutOfCycles,
  RejectedError,
  type RejectedCode,
  wordRejection,
} from '../../src/ic/replies/ic-errors.ts';
import { ApiClient } from '../support/client.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { startTestServer } from '../support/server.ts';

// A canister refuses with whatever text it likes: with the codes of the network in it, and as long as the network takes.
const CODES = 'IC0301 IC0512 IC0207 (reject code 2, IC0301)';
const SOURCE = `import Error "mo:core/Error";
import Runtime "mo:core/Runtime";
persistent actor {
  func long() : Text { var text = "${CODES} "; while (text.size() < 1_000_000) { text #= text }; text };
  public func refuse() : async () { throw Error.reject("${CODES}") };
  public func refuse_at_length() : async () { throw Error.reject(long()) };
  public func trap() : async () { Runtime.trap("${CODES}") };
  public query func trap_query() : async () { Runtime.trap("${CODES}") };
  public query func trap_at_length() : async () { Runtime.trap(long()) };
};
`;
const NOTHING = Buffer.from(IDL.encode([], []));

let folder: string;
let server: RunningServer;
let ada: ApiClient;
let id: string;
/** As the second controller of the canister calls the network, in the way of the server. */
let ic: IcClient;
let ctx: AppContext;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-refusals-'));
  server = await startTestServer({ DATA_DIR: join(folder, 'data') });
  ada = await ApiClient.signIn(server.url, 'ada');
  ic = createIcClient({ icUrl: server.networkUrl, identity: Ed25519KeyIdentity.generate() });
  ctx = { ic } as AppContext;
  id = await newCanister();
  const identifier = await ada.uploadWasm(compileMotoko(SOURCE));
  expect((await ada.post('/canister/install', { canister_id: id, identifier })).status).toBe(200);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A canister of the console and of the client of this test. */
async function newCanister(): Promise<string> {
  const canister = await ada.create('Hostile');
  const { body } = await ada.get(`/canister/details/${canister}`);
  const controllers = [String(body.console_principal), ic.principal];
  const saved = await ada.post('/canister/settings', { canister_id: canister, settings: { controllers } });
  expect(saved.status).toBe(200);
  return canister;
}

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('It should have failed.');
}

describe('what a canister says of itself is not believed', () => {
  test.each(['refuse', 'refuse_at_length', 'trap'])('in an update: %s', async (method) => {
    const error = await thrownBy(() => ic.call(id, method, NOTHING));
    expect(error).toMatchObject({ code: 'network_rejected', detail: expect.stringContaining('IC0301') });
    expect(await missingAfter(ctx, id, error)).toBeUndefined();
    expect(maybeOutOfCycles(error)).toBe(false);
  });

  test.each(['trap_query', 'trap_at_length'])('in a query: %s', async (method) => {
    const error = await thrownBy(() => ic.query(id, method, NOTHING));
    expect(error).toMatchObject({ code: 'network_rejected', detail: expect.stringContaining('IC0301') });
    expect(await missingAfter(ctx, id, error)).toBeUndefined();
    expect(maybeOutOfCycles(error)).toBe(false);
  });

  test('nor kept and shown at length', async () => {
    const update = await thrownBy(() => ic.call(id, 'refuse_at_length', NOTHING));
    const query = await thrownBy(() => ic.query(id, 'trap_at_length', NOTHING));
    for (const error of [update, query]) {
      if (!(error instanceof RejectedError)) throw error;
      expect(error.message.length).toBeLessThanOrEqual(300);
      expect(error.reject.text.length).toBeLessThanOrEqual(LONGEST_TEXT);
      expect(error.detail?.length).toBeLessThanOrEqual(LONGEST_TEXT + 100);
    }
    for (const call of [{ method: 'refuse_at_length' }, { method: 'trap_at_length', as_query: true }]) {
      const { status, body } = await ada.post(`/canister/call`, {
        canister_id: id,
        argument_hex: NOTHING.toString('hex'),
        ...call,
      });
      expect([status, body.status]).toEqual([200, 'rejected']);
      expect(String(body.reject_message).length).toBeLessThanOrEqual(LONGEST_TEXT);
      expect(body.reject_message).toContain('IC0301');
    }
  });
});

describe('what the network certifies is', () => {
  const refusal = new RejectedError('network_rejected', wordRejection('Refused.', 5, 'IC0503'));

  test('a canister that is gone, whatever the refusal says', async () => {
    const gone = await newCanister();
    await ic.stop(gone);
    expect(await ic.submit(await ic.signDelete(gone))).toMatchObject({ status: 'replied' });
    expect(await missingAfter(ctx, gone, refusal)).toBe('gone');
    expect(await ic.certified(gone)).toMatchObject({ standing: 'gone', moduleHash: null });
    expect((await ada.post('/canister/delete', { canister_id: gone })).body).toMatchObject({
      deleted: true,
      refunded: '0',
    });
  });

  test('a canister that others have taken', async () => {
    const lost = await newCanister();
    const taken = Principal.fromText('aaaaa-aa').toText();
    await ic.updateSettings(lost, { controllers: [taken] });
    expect(await missingAfter(ctx, lost, refusal)).toBe('lost');
    expect((await ada.post('/canister/delete', { canister_id: lost })).body).toMatchObject({
      deleted: false,
      refunded: '0',
    });
  });

  test('the code and the moment', async () => {
    const { asOf, moduleHash, standing } = await ic.certified(id);
    expect([standing, moduleHash]).toEqual(['ours', await ic.moduleHash(id)]);
    expect(Math.abs(asOf.getTime() - Date.now())).toBeLessThan(60_000);
  });

  test('and nothing else: what an answer leaves out is not absent', async () => {
    const agent = await HttpAgent.create({ host: server.networkUrl, shouldFetchRootKey: true });
    const path = (canister: string) => [
      'canister',
      Principal.fromText(canister).toUint8Array(),
      'controllers',
    ];
    const { verifiedCertificate } = await agent.readState(
      { canisterId: Principal.fromText(id) },
      { paths: [[new TextEncoder().encode('time')]] },
    );
    expect(certifiedTime(verifiedCertificate).getTime()).toBeGreaterThan(0);
    expect(() => leafIn(verifiedCertificate, path(id))).toThrow(
      "The network's answer leaves out what was asked for.",
    );
  });

  test('an error that is no refusal says nothing', async () => {
    const away = new AppError('network_unavailable', 'IC0301');
    expect(await missingAfter(ctx, Principal.managementCanister().toText(), away)).toBeUndefined();
  });
});

test.each([
  ['the code of the network', 2, 'IC0207', true],
  ['a network that gives no codes, and refuses by itself', 2, undefined, true],
  ['a canister behind a network that gives no codes', 4, undefined, false],
  ['a trap behind a network that gives no codes', 5, undefined, false],
  ['another code', 2, 'IC0301', false],
  ['a code that is a text', 2, 'IC0207 and more', true],
] as const)('out of cycles is told by codes: %s', (_what, code, errorCode, expected) => {
  const rejectedAs: RejectedCode = 'network_rejected';
  expect(maybeOutOfCycles(new RejectedError(rejectedAs, wordRejection(CODES, code, errorCode)))).toBe(
    expected,
  );
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/context.ts';
import { createCanister } from '../../src/features/canister/lifecycle/create-canister.ts';
import { isLost } from '../../src/features/canister/payment/carry-out-intent.ts';
import { topUp } from '../../src/features/canister/payment/top-up.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { startUseCases, type UseCases } from './use-cases.ts';

const T = 1_000_000_000_000n;
const identity = Ed25519KeyIdentity.generate();

let useCases: UseCases;
beforeAll(async () => {
  useCases = await startUseCases('refused-repetitions', identity);
});
afterAll(() => useCases.dispose());

/** What a boundary node does with the calls that it gets, one after another; it hands on all later ones, and everything else. */
type Treatment = (body: Buffer, answer: ServerResponse) => void;

/** The network behind a boundary node, as a client sees it. */
async function behind(treatments: Treatment[]): Promise<AsyncDisposable & { ctx: AppContext }> {
  const { network, ctx } = useCases;
  const handle = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const treatment = request.url?.endsWith('/call') ? treatments.shift() : undefined;
    if (treatment !== undefined) return treatment(body, answer);
    const given = await fetch(new URL(request.url ?? '/', network.url), {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/cbor' },
      ...(request.method === 'POST' && { body }),
    });
    answer.writeHead(given.status, { 'content-type': given.headers.get('content-type') ?? '' });
    answer.end(Buffer.from(await given.arrayBuffer()));
  };
  const node = createServer((request, answer) => void handle(request, answer)).listen(0, '127.0.0.1');
  await new Promise((resolve) => node.once('listening', resolve));
  const icUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  return {
    ctx: { ...ctx, ic: createIcClient({ icUrl, identity }) },
    async [Symbol.asyncDispose]() {
      node.closeAllConnections();
      await new Promise((resolve) => node.close(resolve));
    },
  };
}

test('a payment whose repetition is refused at the door waits for what becomes of its first sending', async () => {
  const { database, ctx, network } = useCases;
  const userId = await database.newUser(10n * T);
  const user = { id: userId, username: userId };
  const { id: canisterId } = await createCanister(ctx, user, { name: 'Slow road' });
  const before = (await ctx.ic.status(canisterId)).cycles;
  let first: { path: string; body: Uint8Array<ArrayBuffer> } | undefined;
  await using node = await behind([
    // It takes the call, is slow to hand it on, and its client hears nothing of that.
    (body, answer) => {
      first = { path: `/api/v4/canister/${canisterId}/call`, body: new Uint8Array(body) };
      answer.writeHead(502).end();
    },
    (_body, answer) => {
      answer.writeHead(429).end('Too many requests.');
      setTimeout(() => {
        if (first !== undefined)
          void fetch(new URL(first.path, network.url), {
            method: 'POST',
            headers: { 'content-type': 'application/cbor' },
            body: first.body,
          });
      }, 300);
    },
  ]);
  await topUp(node.ctx, user, { canisterId, amount: 1 });
  expect(first).toBeDefined();
  expect((await ctx.ic.status(canisterId)).cycles).toBe(before + T);
  const { balance, held } = await database.db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect({ balance, held }).toEqual({ balance: 7n * T, held: 0n });
});

test('a message that is lost says nothing of a payment by a cycles ledger, which an earlier one may have made', async () => {
  const { ctx } = useCases;
  const expiresAt = new Date(Date.now() + 60_000);
  const outcome = { status: 'unknown', asOf: new Date(expiresAt.getTime() + 1_000) } as const;
  const call = {
    requestId: '',
    envelope: new Uint8Array(),
    effectiveCanisterId: 'aaaaa-aa',
    expiresAt,
    isRepetition: false,
  };
  expect(isLost(ctx, { ...call, ledgerTime: null }, outcome)).toBe(true);
  expect(isLost(ctx, { ...call, ledgerTime: 1n }, outcome)).toBe(false);
});

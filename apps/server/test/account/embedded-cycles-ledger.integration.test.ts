import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processes } from '@cannery/dev-env';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultPoint } from '../../src/fault-points.ts';
import { ApiClient } from '../support/client.ts';
import { type Program, showPrincipal, startProduct } from '../support/server-process.ts';
import { startTestServer } from '../support/server.ts';
import { LONG_MS } from '../support/foreign-network.ts';

const T = 1_000_000_000_000n;
const LEDGER = 'um5iw-rqaaa-aaaaq-qaaba-cai';
/** What the ledger takes out of each payment. */
const FEE = 100_000_000n;

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const tokens: IDL.InterfaceFactory = () =>
  IDL.Service({
    icrc1_balance_of: IDL.Func([account], [IDL.Nat], ['query']),
    icrc1_transfer: IDL.Func(
      [IDL.Record({ to: account, amount: IDL.Nat })],
      [IDL.Variant({ Ok: IDL.Nat, Err: IDL.Reserved })],
      [],
    ),
  });
interface Account {
  owner: Principal;
  subaccount: [];
}

async function ledgerAt(networkUrl: string) {
  const agent = await HttpAgent.create({ host: networkUrl, shouldFetchRootKey: true });
  return Actor.createActor<{
    icrc1_balance_of(account: Account): Promise<bigint>;
    icrc1_transfer(sent: { to: Account; amount: bigint }): Promise<{ Ok: bigint } | { Err: unknown }>;
  }>(tokens, { agent, canisterId: LEDGER });
}

const accountOf = (principal: string): Account => ({ owner: Principal.fromText(principal), subaccount: [] });

let folder: string;
let faultFile: string;
let product: Program;
let ada: ApiClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-embedded-ledger-'));
  faultFile = join(folder, 'fault');
  await writeFile(faultFile, '');
});
afterAll(async () => {
  await product?.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

async function launch(): Promise<void> {
  product = await startProduct({
    DATA_DIR: join(folder, 'data'),
    NETWORK_SERVICES: 'cycles-ledger',
    NETWORK_PROVISIONAL: 'console',
    NETWORK_FEES: 'free',
    CYCLES_LEDGER: LEDGER,
    OPENING_BALANCE_T: '60',
    FAULT_FILE: faultFile,
    NODE_ENV: 'test',
  });
  if (ada === undefined) ada = await ApiClient.signIn(product.url, 'ada');
  else ada = new ApiClient(product.url, ada.token);
}

const principal = (): string =>
  /^Principal of this console: (\S+)$/m.exec(product.output.join('\n'))?.[1] ?? '';
const networkUrl = async () => String((await ada.get('/config')).body['network_url']);
const paidSince = async (opening: bigint): Promise<bigint> =>
  opening - (await (await ledgerAt(await networkUrl())).icrc1_balance_of(accountOf(principal())));
const balance = async () => BigInt(String((await ada.get('/getInsights/')).body['balance_exact']));
const canisters = () => ada.list('/canister/list/');
const create = () => ada.post('/canister/create', { name: 'Paid' });
const cyclesOf = async (id: unknown) =>
  BigInt(String((await ada.get(`/canister/status/${id}/?real_time=true`)).body['cycles_exact']));

/** Makes a call during which the server, and with it its network, dies at a step; then starts both again. */
async function dieAt(point: FaultPoint, call: () => Promise<unknown>): Promise<void> {
  const gone = once(product.child, 'exit');
  await writeFile(faultFile, point);
  await expect(call()).rejects.toThrow();
  await gone;
  await writeFile(faultFile, '');
  await launch();
}

test(
  'the ledger of the embedded network pays each creation and top-up once, wherever the server dies',
  async () => {
    await launch();
    expect(product.output[0]).toBe(`Network: embedded (the cycles ledger ${LEDGER} pays for canisters)`);
    expect((await ada.get('/config')).body['delete_returns_cycles']).toBe(false);
    const opening = await paidSince(0n).then((paid) => -paid);
    expect(opening).toBeGreaterThan(1_000n * T);

    // The operator looks while the product runs.
    const { port } = new URL(await networkUrl());
    const shown = await showPrincipal({
      DATA_DIR: join(folder, 'data'),
      NETWORK_SERVICES: 'cycles-ledger',
      NETWORK_PORT: port,
      CYCLES_LEDGER: LEDGER,
    });
    expect(shown).toContain(`Principal of this console: ${principal()}\nBalance in the cycles ledger: 1`);

    const id = await ada.create('First');
    expect(await cyclesOf(id)).toBe(2n * T - FEE);
    expect(await paidSince(opening)).toBe(2n * T);
    const topUp = () => ada.post('/canister/topup', { canister_id: id, amount: 3 });
    expect((await topUp()).status).toBe(200);
    expect(await cyclesOf(id)).toBe(5n * T - 2n * FEE);

    await dieAt('create.answered', create);
    await expect.poll(async () => (await canisters()).length).toBe(2);
    expect(await paidSince(opening)).toBe(7n * T);
    await dieAt('topup.answered', topUp);
    await expect.poll(() => cyclesOf(id)).toBe(8n * T - 3n * FEE);
    await expect.poll(balance).toBe(50n * T);
    expect(await paidSince(opening)).toBe(10n * T);

    // The network dies first, at any moment of the payment, and the server with it.
    const dying = create().catch(() => undefined);
    const networks = processes().filter(
      ({ parent, command }) => parent === product.child.pid && command.includes('--exit-with-parent'),
    );
    expect(networks).toHaveLength(1);
    for (const network of networks) process.kill(network.id, 'SIGKILL');
    await product.kill('SIGKILL');
    await dying;
    await launch();
    // Either way its books and those of the user say the same.
    const settled = async () => {
      const [paid, count, left] = [await paidSince(opening), (await canisters()).length, await balance()];
      return paid === 10n * T + BigInt(count - 2) * 2n * T && left === 60n * T - paid;
    };
    await expect.poll(settled).toBe(true);
    for (const canister of (await canisters()).filter((one) => one['id'] !== id))
      expect(await cyclesOf(canister['id'])).toBe(2n * T - FEE);
  },
  LONG_MS,
);

test('where everybody makes cycles, the console pays with what somebody sends to its account', async () => {
  const server = await startTestServer({
    NETWORK_SERVICES: 'cycles-ledger',
    CYCLES_LEDGER: LEDGER,
    OPENING_BALANCE_T: '60',
  });
  try {
    const eve = await ApiClient.signIn(server.url, 'eve');
    const refused = await eve.post('/canister/create', { name: 'Nobody pays' });
    expect(refused.body.error).toBe(
      'The cycles ledger account of this console has only 0 T left. Tell its operator; your own balance is unchanged.',
    );
    const of = /^Principal of this console: (\S+)$/m.exec(server.notes.join('\n'))?.[1] ?? '';
    const ledger = await ledgerAt(server.networkUrl);
    expect(await ledger.icrc1_transfer({ to: accountOf(of), amount: 5n * T })).toHaveProperty('Ok');
    await eve.create('Paid');
    expect(await ledger.icrc1_balance_of(accountOf(of))).toBe(3n * T);
  } finally {
    await server.close();
  }
});

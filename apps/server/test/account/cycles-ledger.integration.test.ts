import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { startPostgres } from '../../src/db/postgres/embedded-postgres.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { identityOfPem } from '../../src/ic/agent/server-identity.ts';
import { installCyclesLedger, LEDGER_FEE, type TestLedger } from './cycles-ledger.ts';
import { ForeignNetwork, LONG_MS } from '../support/foreign-network.ts';
import { type NetworkProxy, startNetworkProxy } from '../support/network-proxy.ts';
import { showPrincipal } from '../support/server-process.ts';
import { installTalkative, say } from './talkative-canister.ts';

const T = 1_000_000_000_000n;
const world = new ForeignNetwork();
const { start, restart, balance, cyclesOf, config, topUp } = world;

let ledger: TestLedger;
let proxy: NetworkProxy;
beforeAll(async () => {
  ledger = await installCyclesLedger(world.url, { principal: 'aaaaa-aa', cycles: 1n });
  proxy = await startNetworkProxy(world.url);
});
afterAll(() => proxy.close());

let principal: string;
let options: Record<string, string>;
beforeEach(async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const pem = String(privateKey.export({ format: 'pem', type: 'sec1' }));
  const file = join(world.dataDir, 'operator.pem');
  await writeFile(file, pem, { mode: 0o600 });
  principal = identityOfPem(pem).getPrincipal().toText();
  options = { IC_URL: proxy.url, CYCLES_LEDGER: ledger.id, IC_IDENTITY_FILE: file };
  await ledger.mint(principal, 10n * T);
  await start(options);
});
afterEach(() => proxy.heal());

const create = () => world.ada.post('/canister/create', { name: 'Paid' });
const metaOf = async () =>
  (await world.ada.list('/transactions/')).map(
    (line) => JSON.parse(String(line.transaction_meta)) as unknown,
  );

const DEPOSIT = fileURLToPath(new URL('../../src/operator/deposit.ts', import.meta.url));

/** What the operator's command prints while the product runs. */
async function operator(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: world.dataDir };
  return (await promisify(execFile)(process.execPath, [DEPOSIT, ...args], { env })).stdout;
}

/** Makes a call during which the product is killed at the given moment. */
async function killedDuring(moment: 'before' | 'after', call: () => Promise<unknown>): Promise<void> {
  let killed: Promise<unknown> = Promise.resolve();
  proxy.cutAt(moment, () => {
    killed = world.product.kill('SIGKILL');
  });
  await expect(call()).rejects.toThrow();
  await killed;
  proxy.heal();
}

/** While the product is down, the network forgets the message and its answer, and the time to send it again passes. */
async function forget(): Promise<void> {
  const postgres = await startPostgres({ dataDir: world.dataDir });
  const db = openDatabase(postgres.connection);
  await db
    .updateTable('intents')
    .set({ request_id: '00'.repeat(32), request_expires_at: new Date(Date.now() - 600_000) })
    .execute();
  await db.destroy();
  await postgres.stop();
}

test(
  'create, install, top up and delete, each payment a block of the ledger, exact to the cycle',
  async () => {
    expect(world.product.output[0]).toBe(
      `Network: ${proxy.url} (local network; the cycles ledger ${ledger.id} pays for canisters)`,
    );
    expect(world.product.output[1]).toBe(`Principal of this console: ${principal}`);
    expect(await showPrincipal({ DATA_DIR: world.dataDir, ...options })).toContain(
      `Principal of this console: ${principal}\nBalance in the cycles ledger: 10 T\n`,
    );
    expect((await config()).delete_returns_cycles).toBe(false);

    const id = await world.ada.create('Paid');
    expect(await cyclesOf(id)).toBe(2n * T - LEDGER_FEE);
    await installTalkative(world.ada, id);
    expect(await say(world.url, id, 'paid')).toBe('paid');
    const topped = await topUp(id, 5);
    expect(topped.status).toBe(200);
    // Nobody asks the network for it: the console knows what the ledger has taken out of the payment.
    expect(topped.body.canister).toMatchObject({ cycles_exact: String(7n * T - 2n * LEDGER_FEE) });
    expect(await cyclesOf(id)).toBe(7n * T - 2n * LEDGER_FEE);
    expect(await balance()).toBe(53n * T);
    expect(await ledger.balanceOf(principal)).toBe(3n * T);
    const blocks = await ledger.blockCount();
    const note = (block: bigint) => ({
      canister_id: id,
      ledger_block: String(block),
      ledger_fee: String(LEDGER_FEE),
    });
    expect(await metaOf()).toEqual([note(blocks), note(blocks - 1n), null]);

    expect((await world.ada.post('/canister/stop', { canister_id: id })).status).toBe(200);
    expect((await world.ada.post('/canister/delete', { canister_id: id })).body.refunded).toBe('0');
    expect(await balance()).toBe(53n * T);
  },
  LONG_MS,
);

test(
  'killed after the ledger has created: afterwards there is one canister, paid once',
  async () => {
    const blocks = await ledger.blockCount();
    await killedDuring('after', create);
    await restart(options);
    await expect.poll(() => world.ada.list('/canister/list/')).toMatchObject([{ name: 'Paid' }]);
    expect(await ledger.blockCount()).toBe(blocks + 1n);
    expect(await balance()).toBe(58n * T);
    expect(await ledger.balanceOf(principal)).toBe(8n * T);
  },
  LONG_MS,
);

test(
  'killed before the answer, and the network has forgotten it: that it is a duplicate counts as success',
  async () => {
    const blocks = await ledger.blockCount();
    await killedDuring('after', create);
    await forget();
    await restart(options);
    await expect.poll(() => world.ada.list('/canister/list/')).toMatchObject([{ name: 'Paid' }]);
    const [canister] = await world.ada.list('/canister/list/');
    const id = String(canister?.id);
    expect(await cyclesOf(id)).toBe(2n * T - LEDGER_FEE);
    expect(await ledger.blockCount()).toBe(blocks + 1n);

    await killedDuring('after', () => topUp(id, 5));
    await forget();
    await restart(options);
    await expect.poll(async () => (await world.ada.list('/transactions/')).length).toBe(3);
    expect(await cyclesOf(id)).toBe(7n * T - 2n * LEDGER_FEE);
    expect(await balance()).toBe(53n * T);
    expect(await ledger.balanceOf(principal)).toBe(3n * T);
    expect(await ledger.blockCount()).toBe(blocks + 2n);
    const [paid] = await metaOf();
    expect(paid).toEqual({
      canister_id: id,
      ledger_block: String(blocks + 2n),
      ledger_fee: String(LEDGER_FEE),
    });
  },
  LONG_MS,
);

test(
  'the canister is gone since the ledger has paid for it: the operator decides',
  async () => {
    const id = await world.ada.create('Emptied');
    const owner = createIcClient({ icUrl: world.url, identity: Ed25519KeyIdentity.generate() });
    const settings = { controllers: [principal, owner.principal] };
    expect((await world.ada.post('/canister/settings', { canister_id: id, settings })).status).toBe(200);
    await killedDuring('after', () => topUp(id, 5));
    await forget();
    await owner.stop(id);
    expect(await owner.submit(await owner.signDelete(id))).toMatchObject({ status: 'replied' });
    await restart(options);
    const latest = async () => (await world.ada.list(`/canister/history/${id}`))[0]?.kind;
    await expect.poll(latest).toBe('topup_uncertain');
    expect(await balance()).toBe(53n * T);
    expect(await ledger.balanceOf(principal)).toBe(3n * T);

    const listed = await operator('--uncertain');
    expect(listed).toMatch(/^\S+: 5 T of ada for \S+, \S+ The canister is gone by now/);
    const [payment = ''] = listed.split(':');
    expect(await operator('--book', payment)).toBe('The payment is booked.\n');
    expect(await operator('--uncertain')).toBe('No payment is uncertain.\n');
    expect((await world.ada.list('/transactions/'))[0]).toMatchObject({
      transaction_name: 'CANISTER_TOPUP',
      amount: 5e12,
      balance_after: 53e12,
    });
    expect(await balance()).toBe(53n * T);
  },
  LONG_MS,
);

test(
  'killed before the ledger heard of it, and the message is too old: the same payment goes out in a new one',
  async () => {
    await killedDuring('before', create);
    await forget();
    await restart(options);
    await expect.poll(() => world.ada.list('/canister/list/')).toMatchObject([{ name: 'Paid' }]);
    expect(await balance()).toBe(58n * T);
    expect(await ledger.balanceOf(principal)).toBe(8n * T);
  },
  LONG_MS,
);

test(
  'a ledger that is temporarily unavailable is asked again, and pays once',
  async () => {
    await ledger.pause(true);
    const created = create();
    await expect.poll(balance).toBe(58n * T);
    expect(await world.ada.list('/canister/list/')).toEqual([]);
    await ledger.pause(false);
    // On a slow machine the caller is told that it takes longer; the payment is finished all the same.
    expect([200, 503]).toContain((await created).status);
    await expect.poll(() => world.ada.list('/canister/list/')).toMatchObject([{ name: 'Paid' }]);
    expect(await ledger.balanceOf(principal)).toBe(8n * T);
  },
  LONG_MS,
);

test(
  'a ledger account without cycles: nothing is lost, and the message says whose it is',
  async () => {
    const id = await world.ada.create('Last');
    expect((await topUp(id, 7)).status).toBe(200);
    const refused = await create();
    expect(refused.body).toMatchObject({
      code: 'network_rejected',
      error:
        'The cycles ledger account of this console has only 1 T left. Tell its operator; your own balance is unchanged.',
    });
    expect((await topUp(id, 2)).body.code).toBe('network_rejected');
    expect(await balance()).toBe(51n * T);
    expect(await ledger.balanceOf(principal)).toBe(T);
    await ledger.mint(principal, 3n * T);
    expect((await topUp(id, 2)).status).toBe(200);
    expect((await create()).status).toBe(200);
    expect(await balance()).toBe(47n * T);
    expect(await ledger.balanceOf(principal)).toBe(0n);
  },
  LONG_MS,
);

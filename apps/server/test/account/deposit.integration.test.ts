import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { runOperatorCommand } from '../service/operator-command.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let dataDir: string;
let server: RunningServer;
let ada: ApiClient;
const start = () => startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK, OPENING_BALANCE_T: '1' });
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-deposit-'));
  server = await start();
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const deposit = (...args: string[]) => runOperatorCommand('deposit', dataDir, args);

const balance = async () => String((await ada.get('/getInsights/')).body.balance_exact);

test('[TX-09] cycles are deposited while the server runs, and while it does not', async () => {
  expect(await deposit('--user', 'ADA', '--cycles', '2.5')).toEqual({
    code: 0,
    output: 'ada received 2.5 T; the balance is now 3.5 T.\n',
  });
  expect(await balance()).toBe('3500000000000');
  expect((await ada.list('/transactions/'))[0]).toMatchObject({
    transaction_name: 'CYCLE_DEPOSIT',
    transaction_type: 'CREDIT',
    amount: 2.5e12,
    balance_before: 1e12,
    balance_after: 3.5e12,
  });
  await server.close();
  expect(await deposit('--user', 'ada', '--cycles', '0.000000000001')).toMatchObject({ code: 0 });
  server = await start();
  ada = new ApiClient(server.url, ada.token);
  expect(await balance()).toBe('3500000000001');
});

test.each([
  [['--user', 'nobody', '--cycles', '1'], 'There is no user nobody.'],
  [['--user', 'ada', '--cycles', '-1'], '--cycles'],
  [['--user', 'ada', '--cycles', '0'], 'above 0'],
  [['--user', 'ada', '--cycles', '1e3'], 'an amount in T'],
  [['--user', 'ada'], 'Name the user and the amount.'],
  [['--nonsense'], '--nonsense'],
])('%j is refused in a sentence, and nothing is booked', async (args, reason) => {
  const before = await balance();
  const { code, output } = await deposit(...args);
  expect(code).toBe(1);
  expect(output).toContain(reason);
  expect(output).not.toContain('    at ');
  expect(await balance()).toBe(before);
});

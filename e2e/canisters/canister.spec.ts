import { createHash } from 'node:crypto';
import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import {
  createCanister,
  emptyModule,
  installModule,
  otherModule,
  start,
  stop,
  topUp,
  wasmFile,
} from '../support/canisters-of.ts';
import { colourOf, tableDate, textOrder } from '../support/look.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { ProductTable } from '../pages/product-table.ts';
import { Toasts } from '../pages/toasts.ts';
import { expect, test } from '../support/product.ts';

const hashOf = (module: Buffer) => `0x${createHash('sha256').update(module).digest('hex')}`;

test('[CAND-01] [CAND-02] [CAND-04] [CAND-05] [CAND-06] [CAND-07] [CONST-10] the page of a canister: loading text, header and status block', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Described');
  const canister = new CanisterPage(page);
  const release = await holdCalls(page, `**/api/canister/status/${id}*`);
  await page.goto(`${product.url}/ics/canister/${id}`);
  await expect(page.getByText(`Fetching details (${id})`, { exact: true })).toBeVisible();
  await release();
  await expect(page.getByRole('heading', { level: 1, name: 'Described' })).toBeVisible();
  await expect(page.getByText(`Fetching details (${id})`)).toBeHidden();
  await expect(page.getByText(id, { exact: true })).toBeVisible();

  const link = page.getByRole('link', { name: 'View in Candid UI' });
  const config = await user.api.call<{ candid_url_pattern: string }>('GET', '/config');
  const href = config.candid_url_pattern.replace('{canisterId}', id);
  await expect(link).toHaveAttribute('href', href);
  await expect(link).toHaveAttribute('target', '_blank');
  expect(new URL(href, product.url).searchParams.get('id')).toBe(id);

  await expect(canister.fact('Cycles')).toContainText('2.00 T');
  await expect(canister.status).toHaveText('running');
  expect(await colourOf(canister.status.locator('[data-tone]'))).toBe('green');
  await expect(canister.moduleHash).toHaveText('N/A');
  await expect(canister.fact('Last updated at')).toHaveText('N/A');

  await installModule(user.api, id, emptyModule);
  await stop(user.api, id);
  await page.reload();
  await expect(canister.status).toHaveText('stopped');
  expect(await colourOf(canister.status.locator('[data-tone]'))).toBe('red');
  await expect(canister.moduleHash).toHaveText(hashOf(emptyModule));
  const { updated_at } = await user.api.call<{ updated_at: string }>('GET', `/canister/status/${id}`);
  const [, month, day, year, time] = /^\w+ (\w+) (\d+) (\d+) (\d+:\d+)/.exec(`${new Date(updated_at)}`) ?? [];
  await expect(canister.fact('Last updated at')).toHaveText(`${day} ${month} ${year}, ${time}`);
});

test('[CAND-03] [CAND-08] [STATE-03] refresh and the Run/Stop toggle', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Toggled');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  const logs = new ProductTable(page, 'Logs');
  await expect(canister.fact('Cycles')).toContainText('2.00 T');
  await expect(logs.rows).toHaveCount(1);
  await topUp(user.api, id, 1.5);
  await expect(canister.fact('Cycles')).toContainText('2.00 T');
  const asked = callsOf(page, 'GET', `/canister/status/${id}/`);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(canister.fact('Cycles')).toContainText('3.50 T');
  await expect(logs.rows).toHaveCount(2);
  // News of the top-up may bring both before the call has been seen.
  await expect.poll(() => asked.map((call) => new URL(call.url()).search)).toEqual(['?real_time=true']);

  const stops = callsOf(page, 'POST', '/canister/stop');
  const release = await holdCalls(page, '**/api/canister/stop');
  await canister.action('Stop').click();
  await expect(canister.action('Stop')).toBeDisabled();
  await expect(canister.status).toHaveText('running');
  await release();
  await expect(canister.status).toHaveText('stopped');
  expect(stops.map((call) => call.postDataJSON())).toEqual([{ canister_id: id }]);

  await failCalls(page, '**/api/canister/start', 500, { error: 'The lid is stuck.' });
  await canister.action('Run').click();
  await expect(page.locator('[data-kind="error"]')).toContainText('The lid is stuck.');
  await expect(canister.status).toHaveText('stopped');
  await page.unrouteAll();
  await canister.action('Run').click();
  await expect(canister.status).toHaveText('running');
  expect(await user.api.call('GET', `/canister/status/${id}?real_time=true`)).toMatchObject({
    status: 'running',
  });
});

test('[CAND-09] [CAND-18] [VAL-05] [VAL-06] [VAL-07] [VAL-08] [STATE-07] the top-up input takes 0.01 to 10 T in two decimals', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Filled');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  const sidebar = page.getByRole('region', { name: 'Account Details' });
  await expect(sidebar).toContainText('98.00 T');
  const calls = callsOf(page, 'POST', '/canister/topup');

  await canister.action('Add Cycles').click();
  await expect(canister.amount).toHaveAttribute('step', '0.1');
  await expect(canister.amount).toHaveAttribute('min', '0.1');
  for (const wrong of ['', '0', '0.009', '-1', '10.01', '11']) {
    await canister.topUp(wrong);
    await expect(canister.topUpDialog.getByText('Invalid Amount'), `amount ${wrong}`).toBeVisible();
  }
  await canister.amount.fill('');
  await canister.amount.pressSequentially('abc');
  await page.keyboard.press('Enter');
  await expect(canister.topUpDialog.getByText('Invalid Amount')).toBeVisible();
  expect(calls).toHaveLength(0);

  let cycles = 2;
  for (const [typed, sent] of [
    ['0.01', 0.01],
    ['10', 10],
    ['1.239', 1.23],
  ] as const) {
    await canister.topUp(typed);
    await expect(page.getByText('Cycles Added', { exact: true }).last()).toBeVisible();
    await expect(canister.topUpDialog).toBeHidden();
    cycles += sent;
    await expect(canister.fact('Cycles')).toContainText(`${cycles.toFixed(2)} T`);
    await expect(sidebar).toContainText(`${(100 - cycles).toFixed(2)} T`);
  }
  const bodies = calls.map((call) => call.postDataJSON());
  expect(bodies).toEqual([0.01, 10, 1.23].map((amount) => ({ canister_id: id, amount })));
  const keys = calls.map((call) => call.headers()['idempotency-key']);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(keys.length);
});

test('[CAND-09] a top-up whose answer gets lost is paid once, however often it is sent', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Paid once');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  await page.route('**/api/canister/topup', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await canister.action('Add Cycles').click();
  await canister.topUp('3');
  await expect(page.getByText('Something went wrong. Try again later')).toBeVisible();
  await expect(canister.topUpDialog).toBeVisible();
  await page.unrouteAll();
  await canister.topUp('3');
  await expect(page.getByText('Cycles Added')).toBeVisible();
  await expect(canister.fact('Cycles')).toContainText('5.00 T');
  await expect(page.getByRole('region', { name: 'Account Details' })).toContainText('95.00 T');
});

test('[CAND-09] [CAND-11] [CAND-12] [CAND-13] [CAND-16] [CAND-17] the install dialog: modes, file, payload and result', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Coded');
  const canister = new CanisterPage(page);
  const toasts = new Toasts(page);
  await toasts.watch();
  await page.goto(`${product.url}/ics/canister/${id}`);
  const uploads = callsOf(page, 'POST', '/document/upload');
  const installs = callsOf(page, 'POST', '/canister/install');
  const modes = canister.installDialog.getByRole('radio');
  const installed = async (module: Buffer, mode: string) => {
    const answered = page.waitForResponse('**/api/document/upload*');
    await canister.install(wasmFile(module));
    const { identifier } = (await (await answered).json()) as { identifier: string };
    await expect(canister.installDialog).toBeHidden();
    await expect(canister.moduleHash).toHaveText(hashOf(module));
    expect(installs.at(-1)?.postDataJSON()).toEqual({ canister_id: id, identifier, mode });
  };

  await canister.action('Install WASM').click();
  await expect(canister.installDialog).toBeVisible();
  await expect(modes).toHaveCount(0);
  await canister.confirmInstall();
  await page.waitForTimeout(300);
  await expect(canister.installDialog).toBeVisible();
  expect([...uploads, ...installs, ...(await toasts.texts())]).toEqual([]);
  await canister.chooseFile(wasmFile(otherModule));
  await expect(canister.installDialog.getByText(/arguments/i).first()).toBeVisible();
  await expect(modes, 'nor with a module that is ready').toHaveCount(0);
  // A file that is none takes the place of the module before it.
  await canister.chooseFile({ name: 'recipe.txt', mimeType: 'text/plain', buffer: Buffer.from('flour') });
  await canister.confirmInstall();
  await page.waitForTimeout(300);
  await expect(canister.installDialog).toBeVisible();
  expect(installs).toHaveLength(0);
  await installed(emptyModule, 'install');
  await expect.poll(() => toasts.texts()).toEqual(['Installed!']);

  // The next opening starts from the new module hash.
  await canister.action('Install WASM').click();
  await expect(modes).toHaveCount(2);
  await expect(canister.installDialog.getByRole('radio', { name: 'Upgrade' })).toBeChecked();
  await installed(otherModule, 'upgrade');
  await canister.action('Install WASM').click();
  await canister.installDialog.getByRole('radio', { name: 'Re-Install' }).check();
  await installed(emptyModule, 'reinstall');
  await canister.action('Install WASM').click();
  await expect(canister.installDialog.getByRole('radio', { name: 'Upgrade' })).toBeChecked();
  await expect(canister.installDialog).not.toContainText('module.wasm');
});

test('[CAND-10] all controls are locked while any one of the actions runs, and freed when it ends', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Locked');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  const controls = ['Add Cycles', 'Install WASM'] as const;
  const lockedDuring = async (call: string, toggle: 'Run' | 'Stop', act: () => Promise<void>) => {
    const release = await holdCalls(page, `**/api/canister/${call}`);
    await act();
    for (const control of [toggle, ...controls]) {
      await expect(canister.action(control), `${control} during ${call}`).toBeDisabled();
    }
    await release();
    for (const control of controls) {
      await expect(canister.action(control), `${control} after ${call}`).toBeEnabled();
    }
  };
  await lockedDuring('stop', 'Stop', () => canister.action('Stop').click());
  await lockedDuring('start', 'Run', () => canister.action('Run').click());
  await lockedDuring('topup', 'Stop', () => canister.topUp('1'));
  await lockedDuring('install', 'Stop', () => canister.install(wasmFile(emptyModule)));
});

test('[VAL-10] only WASM is taken as install file, by its type or its ending', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Picky');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  const uploads = callsOf(page, 'POST', '/document/upload');
  const refusal = page.getByText('Invalid file format. Only WASM allowed.');
  await canister.chooseFile({ name: 'notes.txt', mimeType: 'text/plain', buffer: emptyModule });
  await expect(refusal).toBeVisible();
  await canister.confirmInstall();
  await expect(canister.installDialog).toBeVisible();
  expect(uploads).toHaveLength(0);
  for (const [name, mimeType] of [
    ['module', 'application/wasm'],
    ['module.wasm', 'text/plain'],
  ] as const) {
    await canister.chooseFile({ name, mimeType, buffer: emptyModule });
    await expect(refusal).toBeHidden();
    await expect(canister.installDialog).toContainText(name);
  }
  await canister.confirmInstall();
  await expect(canister.moduleHash).toHaveText(hashOf(emptyModule));
});

test('[CAND-19] [CAND-20] [CONST-02] the log of a canister tells each action, sorts and pages', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Logged');
  await installModule(user.api, id, emptyModule);
  await topUp(user.api, id, 9);
  await stop(user.api, id);
  await installModule(user.api, id, otherModule, { mode: 'reinstall' });
  await start(user.api, id);
  await stop(user.api, id);
  const entries = await user.api.call<
    { cycles: number; module_hash: string | null; status: string; updated_at: string }[]
  >('GET', `/statuslogs/${id}`);
  const [empty, other] = [hashOf(emptyModule), hashOf(otherModule)].map((hash) => hash.slice(2));
  expect(entries.map(({ status, module_hash }) => [status, module_hash])).toEqual([
    ['stopped', other],
    ['running', other],
    ['stopped', other],
    ['stopped', empty],
    ['running', empty],
    ['running', empty],
    ['running', null],
  ]);

  await page.goto(`${product.url}/ics/canister/${id}`);
  const table = new ProductTable(page, 'Logs');
  await table.expectHeadings('Cycles', 'Module Hash', 'Status', 'Update At');
  await table.expectPaging(7);
  const cyclesText = (cycles: number) =>
    `${cycles.toLocaleString('en-US')} ~ ${(cycles / 1e12).toFixed(2)} T`;
  for (const [index, entry] of entries.entries()) {
    const row = table.rows.nth(index);
    await expect(table.cell('Cycles', row)).toHaveText(cyclesText(entry.cycles));
    await expect(table.cell('Status', row)).toHaveText(entry.status);
    await expect(table.cell('Update At', row)).toHaveText(tableDate(entry.updated_at));
    const hash = table.cell('Module Hash', row);
    if (entry.module_hash === null) await expect(hash).toHaveText('N/A');
    else await expect(hash.locator(`[title="0x${entry.module_hash}"]`)).toBeVisible();
  }

  const oldestFirst = entries.toReversed();
  await table.expectSorting(
    'Update At',
    'Cycles',
    oldestFirst.map(({ cycles }) => cyclesText(cycles)),
  );
  await table.sortBy('Cycles');
  const sums = entries.map(({ cycles }) => cycles).toSorted((a, b) => a - b);
  await expect(table.cell('Cycles')).toHaveText(sums.map(cyclesText));
  await table.sortBy('Cycles');
  await expect(table.cell('Cycles')).toHaveText(sums.toReversed().map(cyclesText));
  await table.sortBy('Status');
  await expect.poll(() => table.column('Status')).toEqual(entries.map(({ status }) => status).toSorted());
  const hashes = table.cell('Module Hash').locator('span[title]');
  const known = entries.map(({ module_hash }) => module_hash ?? '').filter((hash) => hash !== '');
  for (const shown of [known.toSorted(textOrder), known.toSorted(textOrder).toReversed()]) {
    await table.sortBy('Module Hash');
    const titles = () => hashes.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
    await expect.poll(titles).toEqual(shown.map((hash) => `0x${hash}`));
    expect((await table.column('Module Hash')).at(-1), 'missing values come last').toBe('N/A');
  }

  await test.step('an action on the page adds its entry', async () => {
    await new CanisterPage(page).action('Run').click();
    await expect(table.rows).toHaveCount(8);
    await table.sortBy('Update At');
    await table.sortBy('Update At');
    await expect(table.cell('Status').first()).toHaveText('running');
  });
});

test('[CAND-21] [ERR-10] failing logs, transactions and lists show as empty, without a toast', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Quiet');
  const toasts = new Toasts(page);
  await toasts.watch();
  await failCalls(page, '**/api/statuslogs/**', 500);
  await failCalls(page, '**/api/transactions/*', 500);
  await failCalls(page, '**/api/canister/list/*', 500);
  await page.goto(`${product.url}/ics/canister/${id}`);
  await expect(page.getByText('No Logs Found', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Quiet' })).toBeVisible();
  expect(await toasts.texts()).toEqual([]);
  await page.route('**/api/statuslogs/**', (route) => route.fulfill({ json: [] }));
  // The second address sorts the table.
  for (const search of ['', '?logs.sort=-cycles']) {
    await page.goto(`${product.url}/ics/canister/${id}${search}`);
    await expect(page.getByText('No Logs Found', { exact: true }), search).toBeVisible();
  }
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByText('No Transactions To Show')).toBeVisible();
  await expect(page.getByText('98.00 T').first()).toBeVisible();
  await expect(page.getByText('Your apps cannot be shown right now.')).toBeVisible();
  expect(await toasts.texts()).toEqual([]);
});

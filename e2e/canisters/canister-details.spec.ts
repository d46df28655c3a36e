import { readFileSync } from 'node:fs';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import type { Product } from '@cannery/dev-env';
import type { Locator, Page } from '@playwright/test';
import { callsOf, holdCalls } from '../support/calls.ts';
import { createCanister, installModule, stop } from '../support/canisters-of.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { compileMotoko } from '../support/motoko.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { test as base, expect } from '../support/product.ts';

/** Takes install arguments, prints, traps and keeps a number. */
const bread = `
import Debug "mo:core/Debug";
import Runtime "mo:core/Runtime";
persistent actor class Bread(start : Nat, title : Text) {
  var count : Nat = start;
  public func say(text : Text) : async () { Debug.print(title # " says " # text) };
  public func add() : async Nat { count += 1; count };
  public query func get() : async Nat { count };
  public func fail() : async () { Runtime.trap("the oven is cold") };
}`;

/** The same with a number that became a text, and without a method that callers know. */
const stale = `
persistent actor class Bread(start : Nat, title : Text) {
  var count : Text = title # debug_show(start);
  public query func get() : async Text { count };
}`;

const wasm = (name: string, source: string) => ({
  name,
  mimeType: 'application/wasm',
  buffer: readFileSync(compileMotoko(source)),
});

interface Bread {
  say(text: string): Promise<void>;
  add(): Promise<bigint>;
  get(): Promise<bigint>;
  fail(): Promise<void>;
}

async function breadOf(product: Product, id: string): Promise<Bread> {
  const agent = await HttpAgent.create({ host: product.networkUrl, shouldFetchRootKey: true });
  return Actor.createActor<Bread>(
    ({ IDL }) =>
      IDL.Service({
        say: IDL.Func([IDL.Text], [], []),
        add: IDL.Func([], [IDL.Nat], []),
        get: IDL.Func([], [IDL.Nat], ['query']),
        fail: IDL.Func([], [], []),
      }),
    { agent, canisterId: id },
  );
}

interface Bakery {
  readonly id: string;
  /** Calls the canister without the console. */
  readonly actor: Bread;
  /** Its page, which is open. */
  readonly canister: CanisterPage;
  /** The head of the page, with the badges of its state. */
  readonly header: Locator;
}

const headerOf = (page: Page) =>
  page.locator('header').filter({ has: page.getByRole('heading', { name: 'Bakery' }) });

/** Opens the page of a canister of this test that runs `bread`. */
const test = base.extend<{ bakery: Bakery }>({
  bakery: async ({ page, product, user, signedIn: _signedIn }, use) => {
    const id = await createCanister(user.api, 'Bakery');
    await installModule(user.api, id, readFileSync(compileMotoko(bread)), { argument: '(5, "Rye")' });
    await page.goto(`${product.url}/ics/canister/${id}`);
    const actor = await breadOf(product, id);
    await use({ id, actor, canister: new CanisterPage(page), header: headerOf(page) });
  },
});

const tabOf = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

test('a module is looked into, its arguments are typed, and it is installed', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  const canister = new CanisterPage(page);
  const dialog = canister.installDialog;
  const installs = callsOf(page, 'POST', '/canister/install');
  await page.goto(`${product.url}/ics/canister/${id}`);
  const header = headerOf(page);
  await expect(header.getByText('Empty', { exact: true })).toBeVisible();
  const release = await holdCalls(page, '**/api/document/upload');
  await canister.chooseFile(wasm('bread.wasm', bread));
  await expect(dialog.getByRole('progressbar', { name: 'Uploading' })).toBeVisible();
  await release();
  const module = dialog.locator('dl[aria-label="Module"]');
  await expect(module).toContainText('3 updates, 1 query');
  await expect(module.getByRole('button', { name: 'Copy hash of the module' })).toBeVisible();
  await inspectOnPhone(page, 'install dialog');
  await canister.confirmInstall();
  await expect(dialog.getByLabel(/^start /)).toBeFocused();
  await expect(dialog.getByLabel(/^start /)).toHaveAttribute('aria-invalid', 'true');
  expect(installs).toHaveLength(0);
  await dialog.getByLabel(/^start /).fill('5');
  await dialog.getByLabel(/^title /).fill('Rye');
  await canister.confirmInstall();
  await expect(dialog).toBeHidden();
  await expect(header.getByText('Empty', { exact: true })).toBeHidden();
  expect(await (await breadOf(product, id)).get()).toBe(5n);
});

test('the overview tells memory, costs and controllers', async ({ page, bakery: { canister } }) => {
  await expect(page.getByRole('listitem').filter({ hasText: 'Code' })).toContainText('KiB');
  await expect(canister.fact('Idle burn')).toContainText('/day');
  await expect(canister.fact('Freezes in')).toHaveText(/days|years|never/);
  await expect(page.getByRole('listitem').filter({ hasText: 'Cannery' })).toBeVisible();
  await inspectOnPhone(page, 'overview');
});

test('a frozen canister that is stopping is marked as both', async ({ page, bakery }) => {
  const { canister, header } = bakery;
  // A canister of a test stops in an instant.
  await page.route('**/api/canister/details/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...(await response.json()), frozen: true, status: 'stopping' },
    });
  });
  await page.reload();
  await expect(header.getByText('Frozen', { exact: true })).toBeVisible();
  await expect(header.getByText('Stopping')).toBeVisible();
  await expect(canister.fact('Freezes in')).toHaveText('frozen now');
  await page.unroute('**/api/canister/details/*');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(header.getByText('Frozen', { exact: true })).toBeHidden();
});

test('what it prints and its traps appear by themselves and can be searched', async ({
  page,
  bakery: { actor },
}) => {
  await tabOf(page, 'Canister logs').click();
  await expect(page).toHaveURL(/\?tab=logs$/);
  await expect(page.getByText('The canister has printed nothing')).toBeVisible();
  await actor.say('hello');
  const log = page.getByRole('log', { name: 'Canister logs' });
  await expect(log).toContainText('Rye says hello');
  await actor.say('bye');
  await actor.fail().catch(() => undefined);
  await expect(log.getByRole('listitem')).toHaveCount(3);
  await expect(log.getByRole('listitem').first()).toContainText('the oven is cold');
  await page.route('**/api/canister/logs/**', (route) =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=2') }),
  );
  await page.reload();
  await expect(log.getByRole('listitem')).toHaveCount(2);
  await log.getByRole('button', { name: 'Load older' }).click();
  await expect(log.getByRole('listitem')).toHaveCount(3);
  await expect(log.getByRole('button', { name: 'Load older' })).toBeHidden();
  await page.getByRole('searchbox', { name: 'Search canister logs' }).fill('HELLO');
  await expect(log.getByRole('listitem')).toHaveCount(1);
  await expect(log.locator('mark')).toHaveText('hello');
  await inspectOnPhone(page, 'canister logs');
  await page.getByRole('searchbox', { name: 'Search canister logs' }).fill('cake');
  await expect(page.getByText('No record matches')).toBeVisible();
});

test('settings in units people use; only what was changed is sent', async ({ page, bakery: { id } }) => {
  const sent = callsOf(page, 'POST', '/canister/settings');
  await tabOf(page, 'Settings').click();
  const form = page.getByRole('form', { name: 'Settings' });
  const save = form.getByRole('button', { name: 'Save settings' });
  await expect(form.getByLabel('Freezing threshold', { exact: true })).toHaveValue('30');
  await expect(save).toBeDisabled();
  await form.getByLabel('Compute allocation').fill('101');
  await save.click();
  await expect(form.getByText('At most 100 %.')).toBeVisible();
  await expect(form.getByLabel('Compute allocation')).toBeFocused();
  await form.getByRole('button', { name: 'Discard' }).click();
  await form.getByLabel('Freezing threshold', { exact: true }).fill('90');
  await form.getByLabel('Log memory', { exact: true }).fill('3');
  await form.getByLabel('Unit of log memory').selectOption('bytes');
  await save.click();
  await expect(form.getByText('Enter 0, or at least 4 KiB.')).toBeVisible();
  await form.getByLabel('Log memory', { exact: true }).fill('8192');
  await form.getByLabel('Cycles a call must bring', { exact: true }).fill('0.5');
  await form.getByLabel('Status', { exact: true }).selectOption('Everyone');
  await form.getByRole('button', { name: 'Add variable' }).click();
  await form.getByLabel('Name of variable 1').fill('MODE');
  await form.getByLabel('Value of variable 1').fill('rye');
  await inspectOnPhone(page, 'settings');
  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  expect(sent.at(-1)?.postDataJSON()).toEqual({
    canister_id: id,
    settings: {
      freezing_threshold: '7776000',
      minimum_incoming_canister_call_cycles: '500000000000',
      log_memory_limit: '8192',
      status_visibility: 'public',
      environment_variables: [{ name: 'MODE', value: 'rye' }],
    },
    give_up_control: false,
  });
  await page.reload();
  await expect(form.getByLabel('Freezing threshold', { exact: true })).toHaveValue('90');
  await expect(form.getByLabel('Value of variable 1')).toHaveValue('rye');
  await expect(form.getByLabel('Log memory', { exact: true })).toHaveValue('8');
});

test('the console does not lock itself out unasked', async ({ page, bakery: _bakery }) => {
  const sent = callsOf(page, 'POST', '/canister/settings');
  await tabOf(page, 'Settings').click();
  const form = page.getByRole('form', { name: 'Settings' });
  const field = form.getByLabel('Add a controller');
  await field.fill('aaaaa-ab');
  await field.press('Enter');
  await expect(form.getByText('This is not a principal')).toBeVisible();
  await form.getByRole('button', { name: /^Remove controller/ }).click();
  await form.getByRole('button', { name: 'Save settings' }).click();
  const guard = page.getByRole('dialog', { name: 'Give up control of this canister?' });
  await expect(field, 'what is typed there would be left out').toBeFocused();
  await expect(form.getByText('This is not a principal')).toBeVisible();
  await expect(guard).toBeHidden();
  await field.fill('');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(guard).toBeVisible();
  await inspectOnPhone(page, 'guard');
  await guard.getByRole('button', { name: 'Keep control' }).click();
  await expect(guard).toBeHidden();
  await form.getByRole('button', { name: 'Discard' }).click();
  expect(sent).toHaveLength(0);
});

test('a controller that is typed and not added yet does not get lost: leaving asks, and saving takes it', async ({
  page,
  bakery: { id: _id },
}) => {
  const sent = callsOf(page, 'POST', '/canister/settings');
  await tabOf(page, 'Settings').click();
  const form = page.getByRole('form', { name: 'Settings' });
  const field = form.getByLabel('Add a controller');
  await field.fill('aaaaa-aa');
  await tabOf(page, 'History').click();
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay' })
    .click();
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Remove controller aaaaa-aa' })).toBeVisible();
  await expect(field).toHaveValue('');
  expect(sent.map((call) => call.postDataJSON())).toMatchObject([
    { settings: { controllers: [expect.any(String), 'aaaaa-aa'] } },
  ]);
});

test('snapshots are taken, restored and deleted; the canister is stopped meanwhile', async ({
  page,
  bakery: { actor, canister },
}) => {
  await tabOf(page, 'Snapshots').click();
  await page.getByRole('button', { name: 'Take snapshot' }).click();
  const take = page.getByRole('dialog', { name: 'Take a snapshot' });
  await expect(take.getByLabel('Start it again afterwards')).toBeChecked();
  await inspectOnPhone(page, 'snapshot dialog');
  await take.getByRole('button', { name: 'Stop and take snapshot' }).click();
  await expect(take).toBeHidden();
  await expect(page.getByText('1 of 10')).toBeVisible();
  await expect(canister.status).toHaveText('running');
  expect(await actor.add()).toBe(6n);
  await inspectOnPhone(page, 'snapshots');
  await page.getByRole('button', { name: /^Restore the snapshot/ }).click();
  await page.getByRole('button', { name: 'Stop and restore' }).click();
  await expect(page.getByText('Snapshot restored')).toBeVisible();
  await expect(canister.status).toHaveText('running');
  expect(await actor.get()).toBe(5n);
  await page.getByRole('button', { name: /^Delete the snapshot/ }).click();
  await page.getByRole('button', { name: 'Delete snapshot' }).click();
  await expect(page.getByText('No snapshot yet')).toBeVisible();
});

test('an upgrade that would break is told before, with its reasons, and waits for a tick', async ({
  page,
  bakery: { actor, canister },
}) => {
  const dialog = canister.installDialog;
  const installs = callsOf(page, 'POST', '/canister/install');
  const install = dialog.getByRole('button', { name: 'Install', exact: true });
  const tick = dialog.getByRole('checkbox', { name: /^Install it anyway/ });
  const before = installs.length;
  const release = await holdCalls(page, '**/api/canister/inspect');
  await canister.chooseFile(wasm('stale.wasm', stale));
  await expect(dialog.getByRole('progressbar', { name: 'Checking the module' })).toBeVisible();
  await expect(install, 'while the module is looked into').toBeDisabled();
  await release();
  await expect(dialog.getByText('Callers may break: the interface changes')).toBeVisible();
  await expect(dialog.getByText('Data would be lost or the upgrade fails: its types change')).toBeVisible();
  await dialog.getByText('Upgrade options').click();
  await expect(dialog.getByLabel('Keep main memory')).toBeChecked();
  await dialog.getByLabel('Skip pre_upgrade').check();
  await expect(dialog.getByText('What pre_upgrade would save is lost for good.')).toBeVisible();
  await inspectOnPhone(page, 'upgrade dialog');
  await expect(install, 'before the tick').toBeDisabled();
  await dialog.getByLabel('Skip pre_upgrade').press('Enter');
  expect(installs).toHaveLength(before);
  await dialog.getByRole('radio', { name: 'Re-Install' }).check();
  await expect(tick).toHaveAccessibleName('Install it anyway: callers may break.');
  await tick.check();
  await expect(install).toBeEnabled();
  await dialog.getByRole('radio', { name: 'Upgrade' }).check();
  await expect(install, 'a tick given to another risk').toBeDisabled();
  await tick.check();
  await dialog.getByLabel(/^start /).fill('5');
  await dialog.getByLabel(/^title /).fill('Rye');
  await canister.confirmInstall();
  const failure = dialog.getByRole('alert').filter({ hasText: 'The module was not installed' });
  await expect(failure).toBeVisible();
  expect(installs).toHaveLength(before + 1);
  expect(await actor.get()).toBe(5n);
  await inspectOnPhone(page, 'upgrade that failed');
  await canister.chooseFile(wasm('bread.wasm', bread));
  await expect(failure).toBeHidden();
  await expect(dialog.getByText('Already installed')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('the history tells who did what', async ({ page, user, bakery: { id } }) => {
  const of = { canister_id: id };
  await user.api.call('POST', '/canister/settings', { ...of, settings: { freezing_threshold: '7776000' } });
  await stop(user.api, id);
  const snapshot = await user.api.call<{ id: string }>('POST', '/canister/snapshot/take', of);
  await user.api.call('POST', '/canister/snapshot/restore', { ...of, snapshot_id: snapshot.id });
  await page.reload();
  await tabOf(page, 'History').click();
  const entries = page.getByRole('tabpanel', { name: 'History' }).getByRole('listitem');
  await expect(entries.last()).toContainText('Created');
  await expect(entries.last()).toContainText(`by ${user.name}`);
  for (const text of ['Code installed', 'Settings changed', 'Snapshot taken', 'Snapshot restored']) {
    await expect(entries.filter({ hasText: text }).first()).toBeVisible();
  }
  await inspectOnPhone(page, 'history');
});

test('tabs by keyboard and by address', async ({ page, product, bakery: { id } }) => {
  await tabOf(page, 'History').click();
  await tabOf(page, 'History').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/ics/canister/${id}$`));
  await page.goBack();
  await expect(tabOf(page, 'History')).toHaveAttribute('aria-selected', 'true');
  await page.goto(`${product.url}/ics/canister/${id}?tab=nonsense`);
  await expect(tabOf(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
});

test('a deletion brings the cycles back', async ({ page, user, bakery: { id } }) => {
  await stop(user.api, id);
  await page.reload();
  const balance = page.getByRole('region', { name: 'Account Details' });
  await expect(balance).toContainText('98.00 T');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('to your account');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText(/ T came back to your account\.$/)).toBeVisible();
  await expect(page).toHaveURL(/\/ics\/canisters$/);
  // All but what it has burned meanwhile, which two digits may not show.
  await expect(balance).toContainText(/(99\.\d\d|100\.00) T/);
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { createCanister, emptyModule, otherModule, wasmFile } from '../support/canisters-of.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { compileMotoko } from '../support/motoko.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { RegistriesPage } from '../pages/registries-page.ts';
import { Toasts } from '../pages/toasts.ts';
import { expect, test } from '../support/product.ts';
import { addRegistry, uploadModule } from '../support/registries-of.ts';

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hashes = { empty: hash(emptyModule), other: hash(otherModule) };

test('[REG-01] [REG-03] [REG-04] [VAL-11] [VAL-12] [ERR-12] [OP-33] a registry is added from the empty page, and every refusal stays in the dialog', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const registries = new RegistriesPage(page, product.url);
  const toasts = new Toasts(page);
  await toasts.watch();
  const uploads = callsOf(page, 'POST', '/document/upload');
  const adds = callsOf(page, 'POST', '/registry/add');
  await page.goto(`${product.url}/ics/dashboard`);
  await page.getByRole('link', { name: 'Registries' }).click();
  await expect(page).toHaveURL(/\/ics\/registries$/);
  await expect(page.getByText("You haven't added any registry yet.")).toBeVisible();
  await inspectOnPhone(page, 'no registry');
  await registries.addButton.click();
  const dialog = registries.addDialog;
  const name = dialog.getByLabel('Name');
  await expect(name).toBeFocused();
  await test.step('nothing is sent without a name and a file', async () => {
    await name.fill('Flour');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('WASM is required.')).toBeVisible();
    await name.fill('   ');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Name is required.')).toBeVisible();
    await expect(dialog.getByText('WASM is required.')).toBeVisible();
    await dialog.locator('input[type="file"]').setInputFiles({
      name: 'recipe.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('flour'),
    });
    await expect(dialog.getByText('Invalid file format. Only WASM allowed.')).toBeVisible();
    await name.fill('  Flour  ');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Name is required.')).toBeHidden();
    await inspectOnPhone(page, 'registry dialog');
    expect([...uploads, ...adds]).toHaveLength(0);
  });

  await test.step('a refused save is told in the dialog, which is freed', async () => {
    await failCalls(page, '**/api/registry/add', 400, { error: 'The pantry is full.' });
    await dialog.locator('input[type="file"]').setInputFiles(wasmFile(emptyModule));
    const release = await holdCalls(page, '**/api/document/upload');
    await name.press('Enter');
    await expect(dialog.getByRole('progressbar', { name: 'Uploading' })).toBeVisible();
    await expect(name).toBeDisabled();
    await release();
    await expect(dialog.getByRole('alert')).toContainText('The pantry is full.');
    await expect(name).toBeEnabled();
    await expect(name).toHaveValue('  Flour  ');
    await page.unroute('**/api/registry/add');
    expect(await toasts.texts()).toEqual([]);
  });

  await name.press('Enter');
  await expect(dialog).toBeHidden();
  expect(adds.at(-1)?.postDataJSON()).toEqual({ name: 'Flour', identifier: hashes.empty });
  await registries.table.expectHeadings(
    'Registry ID',
    'Registry Name',
    'Identifier',
    'Created At',
    'Actions',
  );
  const row = registries.table.row('Flour');
  await expect(registries.table.cell('Registry Name', row)).toHaveText('Flour');
  await expect(registries.table.cell('Identifier', row).getByTitle(hashes.empty)).toBeVisible();
  await expect(registries.table.cell('Created At', row)).toHaveText(/^\d\d\/\d\d\/\d{4} \d\d:\d\d [AP]M$/);
  await expect(registries.table.cell('Registry ID', row)).not.toBeEmpty();
  await expect(registries.addButton, 'in the toolbar too').toBeVisible();
  await inspectOnPhone(page, 'registries');
});

test('[REG-02] [REG-05] [VAL-13] [REG-06] [ERR-13] [OP-20] registries are sorted, paged, edited and deleted', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const names = ['Rye', 'Oat', 'Spelt', 'Wheat', 'Corn', 'Rice', 'Teff'];
  for (const name of names) await addRegistry(user.api, name, emptyModule);
  const registries = new RegistriesPage(page, product.url);
  const uploads = callsOf(page, 'POST', '/document/upload');
  await registries.open();
  await registries.table.expectPaging(7);
  await expect(registries.table.cell('Registry Name')).toHaveText(names.toReversed());
  await registries.table.expectSorting('Registry Name', 'Registry Name', names.toSorted());
  await registries.table.expectSorting('Created At', 'Registry Name', names);

  await test.step('a new name keeps the module; another file is the next version', async () => {
    await registries.choose('Edit', 'Oat');
    const name = registries.editDialog.getByLabel('Name');
    await expect(name).toHaveValue('Oat');
    await name.fill('Oat flakes');
    await name.press('Enter');
    await expect(registries.editDialog).toBeHidden();
    const row = registries.table.row('Oat flakes');
    await expect(registries.table.cell('Identifier', row).getByTitle(hashes.empty)).toBeVisible();
    expect(uploads).toHaveLength(0);
    await registries.choose('Edit', 'Oat flakes');
    await registries.editDialog.locator('input[type="file"]').setInputFiles(wasmFile(otherModule));
    await registries.editDialog.getByRole('button', { name: 'Save' }).click();
    await expect(registries.table.cell('Identifier', row).getByTitle(hashes.other)).toBeVisible();
    expect(uploads).toHaveLength(1);
  });

  await test.step('a refused deletion closes the dialog, says why, and the entry stays', async () => {
    await failCalls(page, '**/api/registry/delete/*', 400, { message: 'It is in the oven.' });
    await registries.choose('Delete', 'Teff');
    await registries.deleteDialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('It is in the oven.').first()).toBeVisible();
    await expect(registries.deleteDialog).toBeHidden();
    await page.unroute('**/api/registry/delete/*');
    await registries.open();
    await expect(registries.table.row('Teff')).toHaveCount(1);
  });

  await test.step('a deletion locks its dialog and takes the row away', async () => {
    const release = await holdCalls(page, '**/api/registry/delete/*');
    await registries.choose('Delete', 'Teff');
    await inspectOnPhone(page, 'delete dialog');
    const confirm = registries.deleteDialog.getByRole('button', { name: 'Delete' });
    await confirm.click();
    for (const button of await registries.deleteDialog.getByRole('button').all()) {
      await expect(button).toBeDisabled();
    }
    await page.keyboard.press('Escape');
    await expect(registries.deleteDialog).toBeVisible();
    await release();
    await expect(registries.deleteDialog).toBeHidden();
    await expect(registries.table.row('Teff')).toHaveCount(0);
  });
});

test('[REG-02] [CAND-14] a long list is searched, sorted and paged by the service, and the address keeps all of it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const identifier = await uploadModule(user.api, emptyModule);
  const oldest = await uploadModule(user.api, otherModule);
  const names = Array.from({ length: 28 }, (_, place) => `${place < 26 ? 'Rye' : 'Oat'} ${place + 1}`);
  for (const [place, name] of names.entries()) {
    await user.api.call('POST', '/registry/add', { name, identifier: place === 0 ? oldest : identifier });
  }
  const registries = new RegistriesPage(page, product.url);
  const [whole, pages] = [callsOf(page, 'GET', '/registry/'), callsOf(page, 'GET', '/registry/page/')];
  const shown = registries.table.cell('Registry Name');
  await registries.open();
  await expect(shown).toHaveText(names.slice(-5).toReversed());

  await registries.search.fill('rYE');
  await expect(page.getByText('1–5 of 26')).toBeVisible();
  await registries.table.sortBy('Registry Name');
  await expect(shown).toHaveText(names.slice(0, 5));
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('10');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(shown).toHaveText(names.slice(20, 26));
  await inspectOnPhone(page, 'registries that were searched');
  await expect(page).toHaveURL(/q=rYE/);

  await test.step('a reload, and a way back, find it as it was', async () => {
    await page.reload();
    await expect(shown).toHaveText(names.slice(20, 26));
    await expect(registries.search).toHaveValue('rYE');
    await page.getByRole('link', { name: 'Marketplace' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Marketplace' })).toBeVisible();
    await page.goBack();
    await expect(shown).toHaveText(names.slice(20, 26));
  });

  await test.step('another search begins at its first page; one for nothing says so', async () => {
    await registries.search.fill('y');
    await expect(page.getByText('1–10 of 26')).toBeVisible();
    await registries.search.fill('oat');
    await expect(shown).toHaveText(['Oat 27', 'Oat 28']);
    await registries.search.fill('barley');
    await expect(page.getByText('No registry matches')).toBeVisible();
    await inspectOnPhone(page, 'no registry matches');
    await page.getByRole('button', { name: 'Show all registries' }).click();
    await expect(page.getByText('1–10 of 28')).toBeVisible();
  });

  await test.step('a page that has gone falls back to the last one', async () => {
    await page.goto(`${product.url}/ics/registries?registries.sort=name&registries.page=90`);
    await expect(shown).toHaveText(names.slice(23, 26));
  });

  await test.step('the picker finds by name', async () => {
    await new CanistersPage(page, product.url).open();
    await page.getByRole('button', { name: 'Create New Canister' }).click();
    const picker = page.getByRole('combobox', { name: 'Registry (optional)' });
    await picker.click();
    await expect(page.getByRole('option')).toHaveCount(25);
    await picker.fill('rye 1');
    await expect(page.getByRole('option')).toHaveCount(11);
    await picker.press('Enter');
    await expect(picker).toHaveValue('Rye 19');
    await picker.fill('rye 2');
    // Until the answer comes, the list is that of before, and what is pressed moves away under the pointer.
    await expect(page.getByRole('option')).toHaveCount(8);
    await page.getByRole('option', { name: 'Rye 26' }).click();
    await expect(picker).toHaveValue('Rye 26');
  });

  await test.step('and installs a registry that is not among the newest', async () => {
    const installs = callsOf(page, 'POST', '/canister/install');
    const canister = new CanisterPage(page);
    await page.goto(`${product.url}/ics/canister/${await createCanister(user.api, 'Old bread')}`);
    await canister.action('Install WASM').click();
    const picker = canister.installDialog.getByRole('combobox', { name: 'Or from a registry' });
    await picker.fill('rye 1');
    await expect(page.getByRole('option')).toHaveCount(11);
    await page.getByRole('option').last().click();
    await expect(picker).toHaveValue('Rye 1');
    await expect(canister.installDialog.locator('dl[aria-label="Module"]')).toBeVisible();
    await canister.confirmInstall();
    await expect(canister.installDialog).toBeHidden();
    expect(installs.map((call) => call.postDataJSON())).toMatchObject([{ identifier: oldest }]);
  });
  expect(whole, 'the whole list').toHaveLength(0);
  expect(pages.length).toBeGreaterThan(0);
});

test('[REG-07] [CAND-14] [CAND-15] [OP-28] [CAN-23] [OP-22] the entries are what the dialogs to install and to create offer', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const flour = await addRegistry(user.api, 'Flour', emptyModule);
  await addRegistry(user.api, 'Sugar', otherModule);
  const id = await createCanister(user.api, 'Bakery');
  const uploads = callsOf(page, 'POST', '/document/upload');
  const installs = callsOf(page, 'POST', '/canister/install');
  const creations = callsOf(page, 'POST', '/canister/create');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);

  await test.step('installing from a registry uploads nothing', async () => {
    await canister.action('Install WASM').click();
    const picker = canister.installDialog.getByRole('combobox', { name: 'Or from a registry' });
    const release = await holdCalls(page, '**/api/document/upload');
    await canister.installDialog.locator('input[type="file"]').setInputFiles(wasmFile(emptyModule));
    await expect(picker, 'before the file is uploaded').toBeDisabled();
    await release();
    await expect(canister.installDialog.locator('dl[aria-label="Module"]')).toBeVisible();
    await expect(picker, 'after it').toBeDisabled();
    await canister.installDialog.getByRole('button', { name: 'Remove file' }).click();
    await expect(picker).toBeEnabled();
    const before = uploads.length;
    await picker.click();
    await expect(page.getByRole('option')).toHaveText([/^Sugar/, /^Flour/]);
    await picker.fill('fl');
    await expect(page.getByRole('option')).toHaveText([/^Flour/]);
    await page.keyboard.press('Enter');
    await expect(canister.installDialog.locator('dl[aria-label="Module"]')).toBeVisible();
    await expect(picker, 'another entry can be chosen').toBeEnabled();
    await inspectOnPhone(page, 'install dialog with a registry');
    await canister.confirmInstall();
    await expect(canister.installDialog).toBeHidden();
    await expect(canister.moduleHash).toContainText(`0x${hashes.empty}`);
    expect(installs.at(-1)?.postDataJSON()).toMatchObject({ identifier: hashes.empty });
    expect(uploads).toHaveLength(before);
  });

  await test.step('a canister is created with one', async () => {
    const canisters = new CanistersPage(page, product.url);
    await canisters.open();
    await canisters.create('Plain');
    expect(creations.at(-1)?.postDataJSON()).toEqual({ name: 'Plain' });
    await canisters.createButton.click();
    await canisters.dialog.getByLabel('Name').fill('Empty');
    await canisters.dialog.getByRole('combobox', { name: 'Registry (optional)' }).click();
    await page.getByRole('option', { name: 'Flour' }).click();
    await inspectOnPhone(page, 'create dialog with a registry');
    await canisters.dialog.getByRole('button', { name: /^Choose no registry/ }).click();
    await canisters.dialog.getByRole('button', { name: 'Create' }).click();
    await expect(canisters.dialog).toBeHidden();
    expect(creations.at(-1)?.postDataJSON(), 'one that was given up').toEqual({ name: 'Empty' });
    await canisters.createButton.click();
    await canisters.dialog.getByLabel('Name').fill('Filled');
    await canisters.dialog.getByRole('combobox', { name: 'Registry (optional)' }).click();
    await page.getByRole('option', { name: 'Flour' }).click();
    await canisters.dialog.getByRole('button', { name: 'Create' }).click();
    await expect(canisters.dialog).toBeHidden();
    expect(creations.at(-1)?.postDataJSON()).toEqual({ name: 'Filled', registry: flour });
    await canisters.openRow('Filled');
    await expect(canister.moduleHash).toContainText(`0x${hashes.empty}`);
  });

  await test.step('the command palette finds a registry and adds one', async () => {
    const palette = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox');
    await page.keyboard.press('Control+k');
    await palette.fill('add registry');
    await page.keyboard.press('Enter');
    await expect(new RegistriesPage(page, product.url).addDialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/ics\/registries$/);
    await page.keyboard.press('Control+k');
    await palette.fill('sugar');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ics\/registries\?entry=/);
  });
});

/** The second bakery answers in another type, and bakes; what it keeps is of another type too. */
const bakeries = [
  'persistent actor { var count : Nat = 0; public query func get() : async Nat { count }; public func inc() : async () { count += 1 } }',
  'persistent actor { var count : Text = ""; public query func get() : async Text { count }; public func bake() : async () { count #= "x" } }',
].map((source) => readFileSync(compileMotoko(source)));

test('[REG-07] [CAND-14] a registry opens with its versions, where they run and what changes; an earlier version is installed', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const [first = emptyModule, second = otherModule] = bakeries;
  const id = await addRegistry(user.api, 'Bakery', first);
  const identifier = await uploadModule(user.api, second);
  await user.api.call('POST', `/registry/update/${id}`, { name: 'Bakery', identifier });
  const canisterId = await createCanister(user.api, 'Corner shop');
  const installs = callsOf(page, 'POST', '/canister/install');
  const canister = new CanisterPage(page);
  const registries = new RegistriesPage(page, product.url);
  const panel = page.getByRole('dialog', { name: 'Bakery' });
  const versions = panel.getByRole('list', { name: 'Versions' }).locator('> li');

  await test.step('the install dialog offers the newest version and every other', async () => {
    await page.goto(`${product.url}/ics/canister/${canisterId}`);
    await canister.action('Install WASM').click();
    await canister.installDialog.getByRole('combobox', { name: 'Or from a registry' }).click();
    await page.getByRole('option', { name: 'Bakery' }).click();
    const version = canister.installDialog.getByRole('combobox', { name: 'Version' });
    await expect(version).toHaveValue('Version 2');
    await version.fill('none such');
    await page.keyboard.press('Escape');
    await expect(version).toHaveValue('Version 2');
    await version.click();
    await page.getByRole('option', { name: 'Version 1' }).click();
    const module = canister.installDialog.locator('dl[aria-label="Module"]');
    await expect(module.getByTitle(hash(first))).toBeVisible();
    await inspectOnPhone(page, 'install dialog with a version');
    await canister.confirmInstall();
    await expect(canister.installDialog).toBeHidden();
    expect(installs.at(-1)?.postDataJSON()).toMatchObject({ identifier: hash(first) });
  });

  await test.step('the entry tells where each version runs, and what its module holds', async () => {
    await registries.open();
    await registries.table.row('Bakery').getByRole('button', { name: 'Bakery', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`entry=${id}`));
    await expect(versions).toHaveCount(2);
    await expect(versions.nth(0)).toContainText('none of your canisters');
    await expect(versions.nth(1).getByRole('link', { name: 'Corner shop' })).toBeVisible();
    await versions.nth(1).getByText('Exports and interface').click();
    await expect(versions.nth(1)).toContainText('canister_query get');
    await expect(versions.nth(1).getByLabel('Candid interface', { exact: true })).toContainText(
      'inc: () -> ()',
    );
  });

  await test.step('and what changes between two of them', async () => {
    await expect(panel.getByText('Callers may break: the interface changes')).toBeVisible();
    await expect(panel.getByText('An upgrade would lose data or fail')).toBeVisible();
    await expect(panel.getByRole('list', { name: 'Changed methods' }).getByRole('listitem')).toHaveText([
      'get was () -> (nat) query and is () -> (text) query',
      'inc is gone: () -> ()',
      'bake is new: () -> ()',
    ]);
    await inspectOnPhone(page, 'panel of a registry');
    await panel.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: 'Version 2' }).click();
    await expect(panel.getByText('Callers keep working: the interface is compatible')).toBeVisible();
    await expect(panel).toContainText('the same size');
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(page).toHaveURL(/\/ics\/registries$/);
  });
});

import { createHash } from 'node:crypto';
import { createApi, signIn } from '@cannery/dev-env';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { wasmFile } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';
import { Toasts } from '../pages/toasts.ts';
import { expect, test } from '../support/product.ts';
import { refusalIsOver } from '../support/refused-form.ts';

/** The smallest picture there is: one red point. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const iconFile = { name: 'icon.png', mimeType: 'image/png', buffer: png };
/** One that cannot be seen. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const gifFile = { name: 'icon.gif', mimeType: 'image/gif', buffer: gif };

/** Another user of the same product, in another browser profile. */
async function another(browser: Browser, url: string, name: string): Promise<[BrowserContext, Page]> {
  const token = await signIn(url, name);
  const context = await browser.newContext();
  await context.addInitScript((given) => localStorage.setItem('token', given), token);
  return [context, await context.newPage()];
}

test('[MKT-01] [MKT-06] [VAL-14] [VAL-15] [VAL-16] [VAL-17] [VAL-18] [VAL-19] [VAL-20] what is missing or wrong in a submission is said in the dialog, and nothing is sent', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const market = new MarketplacePage(page, product.url);
  await market.open();
  await page.getByRole('link', { name: 'Marketplace' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Marketplace' })).toBeVisible();
  const sent = [callsOf(page, 'POST', '/document/upload'), callsOf(page, 'POST', '/document/upload/icon')];
  sent.push(callsOf(page, 'POST', '/marketplace/submit'));
  await market.submitButton.click();
  const { dialog } = market;
  await expect(market.field('Name')).toBeFocused();
  await expect(market.field('Version')).toHaveValue('1.0.0');
  await market.field('Version').fill('');
  await page.keyboard.press('Enter');
  const alerts = dialog.getByRole('alert');
  await expect(alerts).toHaveText([
    'Required',
    'Invalid URL!',
    'Write something about this App.',
    'Required',
    'Required',
  ]);
  await expect(market.field('Version')).toHaveAttribute('aria-invalid', 'true');
  await expect(market.file(/^WASM file/)).toHaveAttribute('aria-invalid', 'true');
  const removals = dialog.getByRole('button', { name: 'Remove file' });
  await expect(removals, 'no file is there').toHaveCount(0);

  await refusalIsOver(page);
  await market.field('Version').pressSequentially('1.a.-.2..0');
  await expect(market.field('Version')).toHaveValue('1.2.0');
  await market.fill({
    name: 'Refused',
    gitUrl: 'javascript:alert(1)',
    description: 'Words',
    wasm: { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no module') },
    icon: { name: 'icon.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
  });
  await market.save.click();
  await expect(alerts).toHaveText([
    'Invalid URL!',
    'Invalid file format. Only WASM allowed.',
    'Invalid file format. Only PNG, GIF or JPEG allowed.',
  ]);
  await refusalIsOver(page);

  // With texts that fit, a wrong file alone holds the submission, whichever it is.
  await market.fill({ gitUrl: 'https://example.org/ada/refused' });
  await market.save.click();
  await expect(alerts).toHaveText([
    'Invalid file format. Only WASM allowed.',
    'Invalid file format. Only PNG, GIF or JPEG allowed.',
  ]);
  await market.fill({ wasm: wasmFile(uniqueModule()) });
  await market.save.click();
  await expect(alerts).toHaveText(['Invalid file format. Only PNG, GIF or JPEG allowed.']);
  // A wrong file that is optional is taken out again.
  await expect(dialog).toContainText('icon.svg');
  await removals.last().click();
  await expect(alerts).toHaveCount(0);
  await expect(dialog).not.toContainText('icon.svg');
  await expect(removals, 'the WASM stays').toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(sent.flat()).toEqual([]);
});

test('[MKT-02] [MKT-03] [MKT-07] [MKT-08] [MKT-09] [MKT-10] [ERR-12] [API-22] [API-25] [API-26] a dapp is submitted, updated and deleted by its uploader', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const toasts = new Toasts(page);
  await toasts.watch();
  const market = new MarketplacePage(page, product.url);
  const name = `Peaches ${user.name}`;
  // One that is before it by name, and after it by age.
  await submitDapp(user.api, { name: `Apples ${user.name}` }, uniqueModule());
  await market.open('?sort=name');
  await market.submitButton.click();
  await market.fill({
    name: ` ${name} `,
    gitUrl: 'https://example.org/ada/peaches',
    description: 'Counts peaches and puts them into cans.',
    wasm: wasmFile(uniqueModule()),
    icon: iconFile,
  });

  // A refused submission leaves the dialog as it is, with the reason in it.
  await failCalls(page, '**/marketplace/submit', 400, { error: 'The shelf is full.' });
  await market.save.click();
  await expect(market.dialog.getByRole('alert')).toContainText('The shelf is full.');
  await expect(market.save).toBeEnabled();
  await page.unrouteAll();

  const submissions = callsOf(page, 'POST', '/marketplace/submit');
  const icons = page.waitForResponse('**/document/upload/icon');
  const modules = page.waitForResponse('**/document/upload');
  const release = await holdCalls(page, '**/document/upload');
  await market.save.click();
  await expect(market.save).toBeDisabled();
  await expect(market.dialog.getByRole('progressbar', { name: 'Uploading the WASM' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(market.dialog).toBeVisible();
  // The files are there, and the submission itself is under way.
  const submit = await holdCalls(page, '**/marketplace/submit');
  await release();
  await expect.poll(() => submissions.length).toBe(1);
  await expect(market.save).toBeDisabled();
  await expect(market.dialog.getByRole('progressbar')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(market.dialog).toBeVisible();
  await submit();
  await expect(market.dialog).toBeHidden();
  const [icon, wasm] = await Promise.all(
    [icons, modules].map(async (one) => ((await (await one).json()) as { identifier: string }).identifier),
  );
  expect(submissions.map((call) => call.postDataJSON())).toEqual([
    {
      icon,
      name,
      git_url: 'https://example.org/ada/peaches',
      description: 'Counts peaches and puts them into cans.',
      wasm,
      version: '1.0.0',
    },
  ]);
  const card = market.cards.first();
  await expect(card).toHaveAccessibleName(name);
  await expect(card).toContainText('v1.0.0');
  await expect(card).toContainText('Counts peaches and puts them i...');
  await expect(card.getByTestId('stars').locator('svg')).toHaveCount(5);
  await expect(card.locator('img')).toHaveAttribute('src', /^data:image\/png;base64,/);
  await expect(market.card(`Apples ${user.name}`).locator('[data-icon="placeholder"]')).toBeVisible();

  await market.act(name, 'Update');
  await expect(market.field('Name')).toHaveValue(name);
  await expect(market.field('Version')).toHaveValue('1.0.0');
  await expect(market.field('Git URL')).toHaveCount(0);
  await market.fill({ name: `${name}!`, description: 'Plums', version: '1.1.0' });
  const updates = callsOf(page, 'POST', '');
  await market.save.click();
  await expect(market.dialog).toBeHidden();
  expect(updates.map((call) => call.postDataJSON())).toEqual([
    { name: `${name}!`, description: 'Plums', version: '1.1.0' },
  ]);
  const changed = market.card(`${name}!`);
  await expect(changed).toContainText('v1.1.0');
  await expect(changed).toContainText('Plums');
  const red = (await changed.locator('img').getAttribute('src')) ?? '';
  await market.act(`${name}!`, 'Update');
  await market.fill({ icon: gifFile });
  await market.save.click();
  await expect(market.dialog).toBeHidden();
  await expect(changed.locator('img')).not.toHaveAttribute('src', red);

  await market.act(`${name}!`, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(market.card(`${name}!`)).toHaveCount(0);
  await page.reload();
  await expect(market.submitButton).toBeVisible();
  await expect(market.card(`${name}!`)).toHaveCount(0);
  expect(await toasts.texts()).not.toContain('The shelf is full.');
});

test("[MKT-04] [MKT-11] [MKT-12] [MKT-13] [MKT-14] [MKT-15] [MKT-16] [MKT-17] [MKT-18] [MKT-19] [MKT-20] [VAL-26] [ERR-08] [NAV-07] another user's dapp is looked at and installed", async ({
  page,
  browser,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const name = `Counter ${user.name}`;
  const wasm = uniqueModule();
  const market = new MarketplacePage(page, product.url);
  await market.open();
  await market.submitButton.click();
  await market.fill({
    name,
    gitUrl: 'https://example.org/ada/counter',
    description: 'A description that is longer than a card has room for.',
    wasm: wasmFile(wasm),
    icon: iconFile,
  });
  await market.save.click();
  await expect(market.card(name)).toBeVisible();
  await market.view(name);
  await expect(page).toHaveURL(/\/ics\/dapp\/[\w-]+$/);
  await expect(
    page.getByRole('link', { name: `@${user.name}`, exact: true }),
    'of one’s own too',
  ).toBeVisible();
  const address = page.url();

  const [context, other] = await another(browser, product.url, `${user.name}-friend`);
  const theirs = new MarketplacePage(other, product.url);
  const toasts = new Toasts(other);
  await toasts.watch();
  // All that were shown: one may be gone before the next comes.
  const shown = async (text: string) => (await toasts.texts()).filter((toast) => toast === text).length;
  await theirs.open(`?search=${user.name}`);
  await expect(theirs.card(name).getByRole('button')).toHaveCount(0);
  await theirs.view(name);
  await expect(other).toHaveURL(address);
  await expect(other.getByText('A description that is longer than a card has room for.')).toBeVisible();
  const icon = other.getByRole('main').locator('img[data-icon="picture"]');
  await expect(icon).toHaveAttribute('src', /^data:image\/png;base64,/);
  const uploader = other.getByRole('link', { name: `@${user.name}`, exact: true });
  await expect(theirs.fact('Uploaded by:')).toContainText(`@${user.name}`);
  const config = await user.api.call<{ git_provider: { account_url_pattern: string } }>('GET', '/config');
  const account = config.git_provider.account_url_pattern.replace('{owner}', user.name);
  await expect(uploader).toHaveAttribute('href', account);
  await expect(other.getByRole('link', { name: 'https://example.org/ada/counter' })).toHaveAttribute(
    'href',
    'https://example.org/ada/counter',
  );
  await expect(theirs.fact('Github URL')).toBeVisible();
  await expect(theirs.fact('Uploaded on')).toHaveText(/^[A-Z][a-z]{2} \d\d, \d{4}$/);

  const creations = callsOf(other, 'POST', '/canister/create');
  const installs = callsOf(other, 'POST', '/canister/install');
  await theirs.installButton.click();
  await theirs.instanceName.fill('Thought better of');
  await theirs.installDialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(theirs.installDialog).toBeHidden();
  await theirs.installButton.click();
  // Enter before the dialog has the focus is for the page below it.
  await expect(theirs.instanceName).toBeFocused();
  await other.keyboard.press('Enter');
  await expect(theirs.installDialog.getByText('Required')).toBeVisible();
  expect([...creations, ...installs]).toEqual([]);
  await theirs.instanceName.fill('My counter');
  await expect(theirs.installDialog.getByText('Required')).toBeHidden();

  // The creation brings no id, then the installation fails: the canister that was created is used again.
  await failCalls(other, '**/canister/create', 200, {});
  await theirs.confirmInstall.click();
  await expect.poll(() => shown('Something went wrong')).toBe(1);
  await other.unrouteAll();
  await failCalls(other, '**/canister/install', 500);
  await theirs.confirmInstall.click();
  await expect.poll(() => shown('Something went wrong')).toBe(2);
  await expect(other).toHaveURL(/\/ics\/dapp\//);
  await other.unrouteAll();

  const release = await holdCalls(other, '**/canister/install');
  await theirs.confirmInstall.click();
  await expect(theirs.confirmInstall).toBeDisabled();
  await expect(theirs.confirmInstall.getByRole('img', { name: 'Working' })).toBeVisible();
  await release();
  await expect(other).toHaveURL(/\/ics\/canister\/[^/]+$/);
  await expect.poll(() => shown('Installed')).toBe(1);
  const id = other.url().split('/').at(-1);
  expect(creations.map((call) => call.postDataJSON())).toEqual([
    { name: 'My counter' },
    { name: 'My counter' },
  ]);
  const hash = createHash('sha256').update(wasm).digest('hex');
  expect(installs.at(-1)?.postDataJSON()).toEqual({ canister_id: id, identifier: hash, mode: 'install' });
  await expect(other.getByRole('heading', { level: 1, name: 'My counter' })).toBeVisible();
  await expect(new CanisterPage(other).moduleHash).toHaveText(`0x${hash}`);
  const api = createApi(product.url, await signIn(product.url, `${user.name}-friend`));
  expect(await api.call('GET', '/canister/list/')).toHaveLength(1);
  await context.close();
});

test('[MKT-14] a dapp without an address of its source shows N/A in its place', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await submitDapp(user.api, { name: `Unsourced ${user.name}` }, uniqueModule());
  const market = new MarketplacePage(page, product.url);
  // Ours has one always; another service of the specification may have none.
  await page.route(`**/api/marketplace/${id}`, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace('"https://example.org/ada/dapp"', 'null');
    await route.fulfill({ response: answer, body: text });
  });
  await page.goto(`${product.url}/ics/dapp/${id}`);
  await expect(market.fact('Github URL')).toHaveText('N/A');
});

test('[MKT-21] [ERR-11] [MKT-05] lists and pages that do not load say nothing about it; so does a dapp that is not there', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const toasts = new Toasts(page);
  await toasts.watch();
  const market = new MarketplacePage(page, product.url);
  await failCalls(page, '**/api/marketplace/**', 500, { error: 'The shelf fell down.' });
  await market.open();
  await expect(page.getByText('No DApp found.')).toBeVisible();
  await page.getByRole('button', { name: 'Add your DApp to marketplace.' }).click();
  await expect(market.dialog).toBeVisible();
  await page.goto(`${product.url}/ics/dapp/${crypto.randomUUID()}`);
  await expect(page.getByRole('link', { name: 'Back to marketplace' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Loading the dapp' })).toHaveCount(0);
  await page.unrouteAll();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Back to marketplace' })).toBeVisible();
  await expect(page).toHaveURL(/\/ics\/dapp\//);
  expect(await toasts.texts()).toEqual([]);
});

import { createApi, signIn } from '@cannery/dev-env';
import { readFileSync } from 'node:fs';
import { callsOf, failCalls } from '../support/calls.ts';
import { wasmFile } from '../support/canisters-of.ts';
import { submitDapp, updateDapp } from '../support/dapps-of.ts';
import { compileMotoko } from '../support/motoko.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';
import { expect, test } from '../support/product.ts';

/** A counter, and its next version, which counts in tens. */
const counter = (step: number) => `
persistent actor {
  var count : Nat = 0;
  public func inc() : async Nat { count += ${step}; count };
  public query func get() : async Nat { count };
}`;

test('[MKT-11] [MKT-18] a dapp is installed and called; its next version is seen, taken over with the data, and given back', async ({
  page,
  browser,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const name = `Counter ${user.name}`;
  const token = await signIn(product.url, `${user.name}-maker`);
  const maker = createApi(product.url, token);
  const [first, second] = [1, 10].map((step) =>
    readFileSync(compileMotoko(`// ${user.name}${counter(step)}`)),
  );
  if (first === undefined || second === undefined) throw new Error('Nothing was compiled.');
  const dapp = await submitDapp(maker, { name }, first);

  const market = new MarketplacePage(page, product.url);
  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByText('Candid interface').click();
  await expect(versions.getByText('inc: () -> (nat)')).toBeVisible();
  await market.installButton.click();
  await market.instanceName.fill('Mine');
  await expect(market.installDialog.getByText(/^Costs 2\.00 T of your cycle balance/)).toBeVisible();
  await market.installDialog.getByLabel('Extra cycles in T (optional)').fill('0.5');
  await expect(market.installDialog.getByText(/^Costs 2\.50 T .*\(2\.00 T \+ 0\.50 T\)/)).toBeVisible();
  await market.confirmInstall.click();
  await expect(page).toHaveURL(/\/ics\/canister\/[^/]+$/);
  const id = page.url().split('/').at(-1) ?? '';
  const canister = new CanisterPage(page);
  await expect(canister.fact('Cycles')).toContainText(/2\.(50|49) T/);
  const line = page.getByRole('region', { name: 'DApp' });
  await expect(line).toContainText(`Installed from ${name} 1.0.0 of @`);

  const [candidPage] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'View in Candid UI' }).click(),
  ]);
  const candid = new CandidPage(candidPage);
  await candid.call('inc');
  await expect(candid.reply('inc')).toContainText('1');

  // The maker publishes the next version in another browser profile.
  const context = await browser.newContext();
  await context.addInitScript((given) => localStorage.setItem('token', given), token);
  const others = new MarketplacePage(await context.newPage(), product.url);
  await others.open(`?by=${user.name}-maker`);
  await others.act(name, 'Update');
  await others.fill({ version: '1.1.0', notes: 'Counts in tens.', wasm: wasmFile(second) });
  await others.save.click();
  await expect(others.dialog).toBeHidden();
  await expect(others.card(name)).toContainText('v1.1.0');
  await context.close();

  await page.reload();
  await expect(line.getByText('Update available: v1.1.0')).toBeVisible();
  await failCalls(page, '**/api/canister/inspect', 500, { error: 'Not now.' });
  await line.getByRole('button', { name: 'Upgrade' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade to v1.1.0' });
  await expect(dialog).toContainText('Counts in tens.');
  await expect(dialog).toContainText('The module could not be checked');
  await expect(dialog).toContainText('Not now.');
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog).toContainText('Callers keep working: the interface is compatible');
  await dialog.getByRole('button', { name: 'Upgrade' }).click();
  await expect(dialog).toBeHidden();
  await expect(line).toContainText(`Installed from ${name} 1.1.0 of @`);
  await expect(line.getByText(/^Update available/)).toHaveCount(0);
  await expect(canister.status).toHaveText('running');
  await candid.call('inc');
  await expect(candid.reply('inc')).toContainText('11');

  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  const instances = page.getByRole('region', { name: 'Your instances' });
  await expect(instances.getByRole('link', { name: 'Try it' })).toHaveAttribute('href', new RegExp(id));
  await instances.getByRole('button', { name: 'Go back to v1.0.0' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(instances.getByText('Update available: v1.1.0')).toBeVisible();
  await candid.call('inc');
  await expect(candid.reply('inc')).toContainText('2');

  await maker.call('POST', `/marketplace/delete/${dapp}`, {});
  await page.goto(`${product.url}/ics/canister/${id}`);
  await expect(line.getByText('No longer in the marketplace')).toBeVisible();
});

test('a dapp that takes arguments is installed through a form of their types', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const source = `persistent actor class Greeter(greeting : Text) { public query func greet() : async Text { greeting } }`;
  const wasm = readFileSync(compileMotoko(source));
  const dapp = await submitDapp(user.api, { name: `Greeter ${user.name}` }, wasm);
  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  const market = new MarketplacePage(page, product.url);
  await market.installButton.click();
  const form = market.installDialog.getByRole('group', { name: 'Install arguments' });
  await form.getByRole('textbox').first().fill('Good morning');
  await market.instanceName.fill('Greeter');
  await market.confirmInstall.click();
  await expect(page).toHaveURL(/\/ics\/canister\/[^/]+$/);
  const candid = new CandidPage(page);
  await candid.open(product.url, page.url().split('/').at(-1));
  await candid.call('greet');
  await expect(candid.reply('greet')).toContainText('Good morning');
});

test('an installation that is tried again pays what is missing, and a newer version asks for consent again', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const moduleOf = (methods: string) =>
    readFileSync(compileMotoko(`// ${user.name}\npersistent actor { ${methods} }`));
  const method = (name: string) => `public query func ${name}() : async Nat { 1 };`;
  const dapp = await submitDapp(
    user.api,
    { name: `Oven ${user.name}` },
    moduleOf(method('get') + method('old')),
  );
  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  const market = new MarketplacePage(page, product.url);
  const dialog = market.installDialog;
  const extra = dialog.getByLabel('Extra cycles in T (optional)');
  const payments = callsOf(page, 'POST', '/canister/topup');
  await failCalls(page, '**/canister/install', 500);
  await market.installButton.click();
  await expect(dialog).toContainText(`Oven ${user.name} v1.0.0 becomes one of your canisters.`);
  await market.instanceName.fill('Mine');
  await extra.fill('0.5');
  await market.confirmInstall.click();
  await expect(dialog.getByText(/^Costs nothing more: 2\.50 T /)).toBeVisible();
  await page.unrouteAll();
  await extra.fill('0.8');
  await expect(dialog.getByText(/^Costs 0\.30 T more: 2\.50 T /)).toBeVisible();
  await market.confirmInstall.click();
  await expect(page).toHaveURL(/\/ics\/canister\/[^/]+$/);
  expect(payments.map((call) => (call.postDataJSON() as { amount: number }).amount)).toEqual([0.5, 0.3]);

  await updateDapp(user.api, dapp, '1.1.0', moduleOf(method('get')));
  const line = page.getByRole('region', { name: 'DApp' });
  await expect(line.getByText('Update available: v1.1.0')).toBeVisible();
  await line.getByRole('button', { name: 'Upgrade' }).click();
  const consent = page.getByRole('checkbox', { name: /^Upgrade anyway/ });
  await consent.check();
  await updateDapp(user.api, dapp, '1.2.0', moduleOf(method('got')));
  const newer = page.getByRole('dialog', { name: 'Upgrade to v1.2.0' });
  await expect(newer).toBeVisible();
  await expect(consent).not.toBeChecked();
  await expect(newer.getByRole('button', { name: 'Upgrade' })).toBeDisabled();
});

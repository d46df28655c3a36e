import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { createCanister, installModule } from '../support/canisters-of.ts';
import type { Walk } from './every-screen.ts';
import { counterSource, compileMotoko } from '../support/motoko.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';
import { RegistriesPage } from '../pages/registries-page.ts';
import { expect } from '../support/product.ts';
import type { Owner } from '../support/repositories.ts';

const LONG = 'A dapp with quite a long name that has to be cut somewhere';
const WORDS =
  'It counts what you ask it to count, for as long as you like, and forgets nothing when it is upgraded.';

async function upload({ api }: Owner, path: string, field: string, file: Buffer): Promise<string> {
  const { body } = await api.upload(path, field, { name: 'file', bytes: new Uint8Array(file) });
  return (body as { identifier: string }).identifier;
}

/** @param step by which it counts; a comment alone leaves the compiler's output as it is */
const counter = (step = 1): Buffer =>
  readFileSync(compileMotoko(counterSource.replace('count += 1;', `count += ${step};`)));
const icon = (): Buffer => readFileSync(new URL('../../examples/poll/icon.png', import.meta.url));

async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Stored modules: none, a list, an entry with two versions, and the dialogs. */
export async function registryScreens({ page, product, user, look }: Walk): Promise<void> {
  const registries = new RegistriesPage(page, product.url);
  await registries.open();
  await expect(page.getByText("You haven't added any registry yet.")).toBeVisible();
  await look('no registry');
  const identifier = await upload(user, '/document/upload', 'wasm', counter());
  await user.api.call('POST', '/registry/add', { name: LONG, identifier });
  await registries.open();
  await expect(registries.table.rows).toHaveCount(1);
  await look('registries');
  await registries.addButton.first().click();
  await expect(registries.addDialog).toBeVisible();
  await look('add a registry');
  await leave(page);
  await registries.choose('Delete', LONG);
  await expect(registries.deleteDialog).toBeVisible();
  await look('delete a registry');
  await leave(page);
}

/** The marketplace with a dapp, the dapp's page, and the dialogs. */
export async function marketplaceScreens({ page, product, user, look }: Walk): Promise<void> {
  const module = counter();
  const wasm = await upload(user, '/document/upload', 'wasm', module);
  const picture = await upload(user, '/document/upload/icon', 'icon', icon());
  const { data: id } = await user.api.call<{ data: string }>('POST', '/marketplace/submit', {
    name: LONG,
    git_url: 'https://example.com/ada/counter',
    description: WORDS,
    icon: picture,
    wasm,
    version: '1.0.0',
    notes: 'First version.',
    kind: 'tool',
  });
  const canister = await createCanister(user.api, 'Counter');
  await installModule(user.api, canister, module, { from: `dapp ${id}` });
  const market = new MarketplacePage(page, product.url);
  await market.open();
  await expect(market.card(LONG)).toBeVisible();
  await look('marketplace');
  await market.submitButton.click();
  await expect(market.dialog).toBeVisible();
  await look('submit a dapp');
  await leave(page);
  await page.goto(`${product.url}/ics/dapp/${id}`);
  await expect(page.getByText(WORDS)).toBeVisible();
  await look('dapp');
  await market.installButton.click();
  await expect(market.installDialog).toBeVisible();
  await look('install a dapp');
  await leave(page);
  await upgradeScreens({ page, product, user, look }, { dapp: id, canister });
}

/** An instance whose dapp has a newer version: told on both pages, taken over, and given back. */
async function upgradeScreens(
  { page, product, user, look }: Walk,
  { dapp, canister }: { dapp: string; canister: string },
): Promise<void> {
  const wasm = await upload(user, '/document/upload', 'wasm', counter(2));
  const notes = 'Counts as before, and says so.';
  await user.api.call('POST', `/marketplace/update/${dapp}`, { wasm, version: '1.1.0', notes });
  const line = page.getByRole('region', { name: 'DApp' });
  await page.goto(`${product.url}/ics/canister/${canister}`);
  await expect(line.getByText('Update available: v1.1.0')).toBeVisible();
  await look('a canister with an update');
  await line.getByRole('button', { name: 'Upgrade' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade to v1.1.0' });
  await expect(dialog.getByText('Callers keep working')).toBeVisible();
  await look('upgrade an instance');
  await dialog.getByRole('button', { name: 'Upgrade' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  await page.getByRole('button', { name: 'Go back to v1.0.0' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('go back to a version');
  await leave(page);
}

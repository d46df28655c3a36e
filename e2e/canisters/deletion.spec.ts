import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, type Product, signIn, startProduct } from '@cannery/dev-env';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { createCanister, stop } from '../support/canisters-of.ts';
import { inspectOnPhone } from '../support/inspect.ts';

let dataDir: string;
let product: Product;
test.beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-deletion-'));
});
test.afterAll(async () => {
  await product.dispose();
  rmSync(dataDir, { recursive: true, force: true });
});

const deleteOn = (part: Page | Locator) => part.getByRole('button', { name: 'Delete', exact: true });

test('what deleting a canister promises is what the network gives', async ({ page }) => {
  product = await startProduct({ dataDir });
  const token = await signIn(product.url, 'ada');
  const api = createApi(product.url, token);
  const [first, second, given] = [
    await createCanister(api, 'Comes back'),
    await createCanister(api, 'Is lost'),
    await createCanister(api, 'Given away'),
  ];
  for (const id of [first, second, given]) await stop(api, id);
  await page.addInitScript((text) => localStorage.setItem('token', text), token);

  await test.step('where cycles come from nothing they come back', async () => {
    await page.goto(`${product.url}/ics/canister/${first}`);
    await expect(page.getByText('the cycles it holds come back to your account.')).toBeVisible();
    await deleteOn(page).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(/Comes back\d\.\d\d T of cycles, to your account/);
    await expect(dialog).not.toContainText('of cycles it holds');
    await deleteOn(dialog).click();
    await expect(page.getByText(/\d T came back to your account\.$/)).toBeVisible();
    await expect(page).toHaveURL(/\/ics\/canisters$/);
    // Whoever goes back finds nothing to act on.
    await page.goBack();
    await expect(page.getByText('This canister cannot be shown.')).toBeVisible();
    await expect(deleteOn(page)).toHaveCount(0);
  });

  await test.step('a canister that the console does not control any more only leaves the list', async () => {
    await api.call('POST', '/canister/settings', {
      canister_id: given,
      settings: { controllers: ['2vxsx-fae'] },
      give_up_control: true,
    });
    await page.goto(`${product.url}/ics/canister/${given}`);
    await deleteOn(page).click();
    await deleteOn(page.getByRole('dialog')).click();
    await expect(page.getByText('Canister left the list')).toBeVisible();
    await expect(page.getByText(/is off the list, but still exists on the network/)).toBeVisible();
  });

  await test.step('where a cycles ledger pays for canisters they are lost, and the console says so', async () => {
    await product.stop();
    product = await startProduct({
      dataDir,
      inPlaceOf: product,
      env: { NETWORK_SERVICES: 'default', CYCLES_LEDGER: 'um5iw-rqaaa-aaaaq-qaaba-cai' },
    });
    await page.goto(`${product.url}/ics/canister/${second}`);
    await expect(
      page.getByText('Its code, its data, its snapshots and the cycles it holds are lost for good.'),
    ).toBeVisible();
    await deleteOn(page).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(
      /Its code, its data and its snapshots, and the \d\.\d\d T of cycles it holds/,
    );
    await expect(dialog).not.toContainText('Comes back');
    await inspectOnPhone(page, 'deletion-lost');
    await deleteOn(dialog).click();
    await expect(page.getByText('Canister deleted', { exact: true })).toBeVisible();
    await expect(page.getByText('came back')).toBeHidden();
  });
});

import { createCanister, emptyModule, wasmFile } from './canisters-of.ts';
import { CanisterPage } from './pages/canister-page.ts';
import { CanistersPage } from './pages/canisters-page.ts';
import { DeployPage } from './pages/deploy-page.ts';
import { Toasts } from './pages/toasts.ts';
import { createSite } from './deploys.ts';
import { expect, test } from './product.ts';

test('[NAV-28] [NAV-30] toasts stand at the top centre: 2 s on canister and deploy pages, 3 s for installs and the drawer', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Toasted');
  const deploy = await createSite(product, user, 'toasted');
  const toasts = new Toasts(page);
  await toasts.watch();

  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  await canister.action('Stop').click();
  const toast = page.locator('[data-kind]');
  await expect(toast).toBeVisible();
  await toast.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  const box = await toast.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(720, -1);
  expect(box?.y).toBeLessThan(60);
  await canister.install(wasmFile(emptyModule));
  await toasts.expectStay('Canister stopped', 2000);
  await toasts.expectStay('Installed!', 3000);

  await page.goto(`${product.url}/ics/deploy/${deploy}/settings`);
  await page.getByLabel('Name', { exact: true }).fill('toasted again');
  await page.getByRole('button', { name: 'Update' }).click();
  await toasts.expectStay('Updated successfully.', 2000);

  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.create('Short');
  await canisters.showCards();
  await (await canisters.openCard('Toasted')).action('Start').click();
  await toasts.expectStay('Canister created!', 2000);
  await toasts.expectStay('Canister started', 3000);

  // At the end: the run creates a canister of the deploy's name.
  await page.goto(`${product.url}/ics/deploy/${deploy}`);
  await new DeployPage(page).manualDeploy.click();
  await toasts.expectStay('Deployment Started!', 2000);
});

import { signIn } from '@cannery/dev-env';
import { failCalls } from '../support/calls.ts';
import { createCanister, emptyModule, installModule, wasmFile } from '../support/canisters-of.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { Toasts } from '../pages/toasts.ts';
import { createSite } from '../support/deploys.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';
import { RegistriesPage } from '../pages/registries-page.ts';
import { addRegistry } from '../support/registries-of.ts';
import { expect, test } from '../support/product.ts';

test('[NAV-28] [NAV-29] a toast whose screen says nothing else stays 4 s, one of a failure too, on a phone as well', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await signIn(product.url, user.name);
  const toasts = new Toasts(page);
  await toasts.watch();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/ics/account`);
  const end = page.getByRole('button', { name: /^(Working )?End session/ });
  await failCalls(page, '**/api/session/*', 500, { error: 'The session is busy.' });
  await end.click();
  const failure = page.locator('[data-kind="error"]');
  await expect(failure).toBeVisible();
  await failure.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  const box = await failure.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(195, -1);
  expect(box?.y).toBeLessThan(60);
  // A pointer on it would hold it.
  await page.mouse.move(10, 800);
  await toasts.expectStay('The session is busy.', 4000);
  await page.unrouteAll();
  await end.click();
  await toasts.expectStay('Session ended', 4000);
});

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
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.evaluate(() => window.scrollTo(0, 200));
  expect(await page.evaluate(() => window.scrollY)).toBe(200);
  expect((await toast.boundingBox())?.y, 'the page scrolls below it').toBe(box?.y);
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

test('[NAV-29] [NAV-30] [OP-13] 4 s for registries and tokens, 3 s for a dapp and a snapshot, by the clock of the page', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await addRegistry(user.api, 'Gone', uniqueModule());
  const dapp = await submitDapp(user.api, { name: 'Timed' }, uniqueModule());
  const id = await createCanister(user.api, 'Timed too');
  await installModule(user.api, id, emptyModule);
  const toasts = new Toasts(page);
  await toasts.watch();
  await page.clock.install();

  const registries = new RegistriesPage(page, product.url);
  await page.goto(`${product.url}/ics/registries`);
  await registries.choose('Delete', 'Gone');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .last()
    .click();
  await toasts.expectStayByClock('Registry deleted', 4000);

  await page.route('**/api/api-tokens', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: 'No token today.' } })
      : route.continue(),
  );
  await page.goto(`${product.url}/ics/account`);
  await page
    .getByRole('region', { name: 'API tokens' })
    .getByRole('button', { name: 'Create token' })
    .click();
  await page.getByRole('dialog').getByLabel('Token name').fill('Timed');
  await page.keyboard.press('Enter');
  await toasts.expectStayByClock('No token today.', 4000);

  const market = new MarketplacePage(page, product.url);
  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  await market.installButton.click();
  await market.instanceName.fill('Timed');
  await market.confirmInstall.click();
  await toasts.expectStayByClock('Installed', 3000);

  await failCalls(page, '**/api/canister/snapshot/take', 400, { error: 'No snapshot today.' });
  await page.goto(`${product.url}/ics/canister/${id}?tab=snapshots`);
  await page.getByRole('button', { name: 'Take snapshot' }).click();
  await page.getByRole('button', { name: 'Stop and take snapshot' }).click();
  await toasts.expectStayByClock('No snapshot today.', 3000);
});

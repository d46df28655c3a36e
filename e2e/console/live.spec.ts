import type { Browser, Page } from '@playwright/test';
import { createApi, type Product, signIn } from '@cannery/dev-env';
import { DeployPage } from '../pages/deploy-page.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { Toasts } from '../pages/toasts.ts';
import { callsOf, holdCalls } from '../support/calls.ts';
import { createCanister, stop, topUp } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { createDeploy, createSite, runDeploy } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

/** Before the next poll of a list, which comes every five seconds; most of what is looked at here is not polled. How soon it is, `bench live` measures. */
const SOON = { timeout: 4_000 };
const bakery = { name: 'Bakery', repo_name: 'bakery', deploy_type: 'STATIC_SITE' } as const;
const pageOf = (text: string) => ({ 'index.html': `<h1>${text}</h1>` });

/** Another browser in which a session stands. */
async function otherBrowser(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript((own) => {
    if (sessionStorage.getItem('seeded') !== null) return;
    sessionStorage.setItem('seeded', '1');
    localStorage.setItem('token', own);
  }, token);
  return context.newPage();
}

/** Waits until the page hears of changes. */
async function openLive(page: Page, product: Product, address: string): Promise<void> {
  const live = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live');
  await page.goto(product.url + address);
  expect((await live).status()).toBe(200);
}

test('[DEPD-13] [DEPD-15] [DEPD-16] [DEPD-18] [DEPD-19] a run that a push starts shows on an open deploy page, which opens its log and follows it to its end', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', pageOf('Fresh bread'));
  const id = await createDeploy(user, { ...bakery, build_command: 'echo kneading; sleep 3' });
  await user.api.call('PATCH', `/deploy/${id}`, { on_push: true });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  const toasts = new Toasts(page);
  await toasts.watch();
  await openLive(page, product, `/ics/deploy/${id}`);
  const deploy = new DeployPage(page);
  await expect(deploy.latest).toContainText('is live for');
  // Whoever has closed the log is shown that of the new run.
  await deploy.latest.click();
  await expect(deploy.log).toBeHidden();
  const runs = callsOf(page, 'GET', `/api/deploy/${id}/instances`);

  await pushFiles(product, user, 'bakery', pageOf('Fresher bread'), 'Bake again');
  await expect(deploy.latest).toContainText('Deploying', SOON);
  await expect(deploy.latest).toHaveAttribute('aria-expanded', 'true');
  await expect(deploy.manualDeploy).toBeDisabled();
  await expect(deploy.log).toContainText('kneading');
  await expect(deploy.earlier).toHaveCount(1);
  expect(runs).toHaveLength(1);

  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  await expect(deploy.latest).toHaveAttribute('aria-expanded', 'false');
  await expect(deploy.latest).toContainText('Bake again');
  expect(await toasts.texts()).toEqual(['Deployment Successful!']);

  // A rollback from elsewhere is a run as well.
  const { data } = await user.api.call<{ data: { id: string }[] }>('GET', `/deploy/${id}/instances`);
  await user.api.call('POST', `/deploy/${id}/instances/${data[1]?.id}/rollback`, {});
  await expect(deploy.latest).toContainText('Deploying', SOON);
  await expect(deploy.earlier).toHaveCount(2);
});

test('[DEPD-11] [DEPD-18] the end of a run shows once, also where the list brings it while its polls get no answer', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', pageOf('Fresh bread'));
  const id = await createDeploy(user, { ...bakery, build_command: 'echo kneading; sleep 3' });
  const toasts = new Toasts(page);
  await toasts.watch();
  await openLive(page, product, `/ics/deploy/${id}`);
  const deploy = new DeployPage(page);
  await expect(deploy.manualDeploy).toBeVisible();
  const over = runDeploy(user, id);
  await expect(deploy.latest).toContainText('Deploying', SOON);
  await expect(deploy.log).toContainText('kneading', { timeout: 60_000 });
  const release = await holdCalls(page, /\/instances\/[\w-]+$/);
  expect(await over).toBe('COMPLETED');
  // As when somebody comes back to the window.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(deploy.latest).toContainText('is live for', SOON);
  await expect(deploy.latest).toHaveAttribute('aria-expanded', 'false');
  await release();
  await deploy.latest.click();
  await expect(deploy.log).toContainText('The site is live');
  await expect(deploy.latest).toContainText('is live for');
  expect(await toasts.texts()).toEqual(['Deployment Successful!']);
});

test('[STATE-07] [ACC-03] what is done to a canister in one browser shows in the other: stopped, paid, deleted', async ({
  browser,
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Oven');
  // A session for each browser, as people have them.
  const other = createApi(product.url, await signIn(product.url, user.name));
  const elsewhere = await otherBrowser(browser, other.token);
  try {
    await openLive(page, product, `/ics/canister/${id}`);
    await openLive(elsewhere, product, '/ics/account');
    const { status } = new CanisterPage(page);
    const insights = elsewhere.getByRole('main').locator('dl').first();
    await expect(status).toContainText(/running/i);
    await expect(insights).toContainText('Canisters1');
    const before = await insights.textContent();

    await stop(other, id);
    await expect(status).toContainText(/stopped/i, SOON);
    await topUp(user.api, id, 2);
    await expect(insights).not.toHaveText(before ?? '', SOON);
    await expect(elsewhere.getByRole('table', { name: 'Transactions' })).toContainText(
      'CANISTER TOPUP',
      SOON,
    );
    await other.call('POST', '/canister/delete', { canister_id: id });
    await expect(insights).toContainText('Canisters0', SOON);
  } finally {
    await elsewhere.context().close();
  }
});

test('a page of something that is deleted elsewhere says that it is gone, and offers nothing to do with it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const main = page.getByRole('main');
  // Of dapps everybody is told, so that each page asks at another moment.
  const gone = async (what: string): Promise<void> => {
    await expect(main).toContainText(`This ${what} cannot be shown.`, { timeout: 8_000 });
    await expect(main.getByRole('button')).toHaveCount(0);
  };
  const canister = await createCanister(user.api, 'Oven');
  await stop(user.api, canister);
  await openLive(page, product, `/ics/canister/${canister}`);
  await expect(main.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled();
  await user.api.call('POST', '/canister/delete', { canister_id: canister });
  await gone('canister');

  const deploy = await createSite(product, user, 'bakery');
  await openLive(page, product, `/ics/deploy/${deploy}`);
  await expect(new DeployPage(page).manualDeploy).toBeEnabled();
  await user.api.call('DELETE', `/deploy/${deploy}?canisters=keep`);
  await gone('deploy');

  const dapp = await submitDapp(user.api, { name: `Loaf ${user.name}` }, uniqueModule());
  await openLive(page, product, `/ics/dapp/${dapp}`);
  await expect(main.getByRole('button', { name: 'Install dApp' })).toBeVisible();
  await user.api.call('POST', `/marketplace/delete/${dapp}`, {});
  await gone('dapp');
});

test('[AUTH-13] [AUTH-14] a sign-out ends every tab of the browser, and the session where it stands in another browser', async ({
  browser,
  context,
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const elsewhere = await otherBrowser(browser, user.api.token);
  // Another session of the same user stays.
  const own = await otherBrowser(browser, await signIn(product.url, user.name));
  try {
    await openLive(page, product, '/ics/dashboard');
    const tab = await context.newPage();
    await tab.goto(`${product.url}/ics/account`);
    await expect(tab.getByRole('table', { name: 'Transactions' })).toBeVisible();
    await openLive(elsewhere, product, '/ics/account');
    await openLive(own, product, '/ics/account');

    await page.bringToFront();
    await page.getByRole('button', { name: new RegExp(user.name) }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    for (const ended of [tab, elsewhere]) {
      await expect(ended).toHaveURL(`${product.url}/login`, SOON);
      await expect(ended.getByText('Your session has ended. Sign in again.')).toBeVisible();
      expect(await ended.evaluate(() => localStorage.getItem('token'))).toBeNull();
    }
    await expect(page).toHaveURL(`${product.url}/login`);
    await expect(own.getByRole('table', { name: 'Transactions' })).toBeVisible();
  } finally {
    await elsewhere.context().close();
    await own.context().close();
  }
});

test('[AUTH-18] a tab whose session another tab has replaced goes on as who has signed in there, whatever is unsaved', async ({
  context,
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Oven');
  await openLive(page, product, `/ics/canister/${id}?tab=settings`);
  await page.getByRole('button', { name: 'Add variable' }).click();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.dismiss();
  });
  const tab = await context.newPage();
  await tab.goto(`${product.url}/ics/dashboard`);
  const others = await signIn(product.url, `${user.name}-mallory`);
  await tab.evaluate((token) => localStorage.setItem('token', token), others);
  await expect(page.getByRole('button', { name: `${user.name}-mallory` })).toBeVisible(SOON);
  await expect(page.getByText('Oven')).toBeHidden();
  expect(dialogs).toEqual([]);
  // Whoever has signed in there stays signed in.
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(others);
});

test('[CAN-32] [CONST-03] a service without the stream is asked for it once; the lists go on by themselves, and nothing is said', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.route('**/api/live', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  const toasts = new Toasts(page);
  await toasts.watch();
  const asked = callsOf(page, 'GET', '/api/live');
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByText('Deploy your first Canister')).toBeVisible();
  await createCanister(user.api, 'Oven');
  await expect(page.getByRole('table').first()).toContainText('Oven', { timeout: 7_000 });
  expect(asked).toHaveLength(1);
  expect(await toasts.texts()).toEqual([]);
});

test('two tabs on show share one stream, and one that is not on show opens none', async ({
  context,
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const second = await context.newPage();
  const asked = [callsOf(page, 'GET', '/api/live'), callsOf(second, 'GET', '/api/live')];
  await openLive(page, product, '/ics/canisters');
  await second.goto(`${product.url}/ics/canisters`);
  await expect(second.getByText('Deploy your first Canister')).toBeVisible();
  await createCanister(user.api, 'Oven');
  for (const tab of [page, second]) await expect(tab.getByRole('table').first()).toContainText('Oven', SOON);
  expect(asked.map(({ length }) => length)).toEqual([1, 0]);
  await page.close();
  await expect.poll(() => asked[1]?.length).toBe(1);
});

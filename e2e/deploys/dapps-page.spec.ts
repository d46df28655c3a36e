import { callsOf, failCalls } from '../support/calls.ts';
import { createDeploy, createSite, runDeploy } from '../support/deploys.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { addressOfTab } from '../support/opened-tab.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

test('the page of DApps lists all with address and last run, searches and filters in its address', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const shop = await createSite(product, user, 'shop');
  expect(await runDeploy(user, shop)).toBe('COMPLETED');
  await pushFiles(product, user, 'broken', { 'index.html': '<h1>broken</h1>' });
  const broken = await createDeploy(user, {
    name: 'Broken oven',
    repo_name: 'broken',
    deploy_type: 'STATIC_SITE',
    build_command: 'exit 3',
    publish_directory: '.',
  });
  expect(await runDeploy(user, broken)).toBe('FAILED');
  await createDeploy(user, { name: 'Ledger', repo_name: 'broken', deploy_type: 'CUSTOM' });
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${shop}`);

  await page.goto(`${product.url}/ics/dapps`);
  const rows = page.getByRole('list', { name: 'DApps' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  const live = rows.filter({ hasText: 'shop' });
  await expect(live).toContainText(/static site.*Live.*[0-9a-f]{7}.*Import shop/s);
  await expect(live).toContainText(`${user.name}/shop · main`);
  await expect(live).toContainText(/by hand · .*s · (just now|.* ago)/);
  await expect(rows.filter({ hasText: 'Broken oven' })).toContainText('Failed');
  await expect(rows.filter({ hasText: 'Ledger' })).toContainText('Not deployed');
  await expect(rows.filter({ hasText: 'Ledger' })).toContainText('No canister yet');
  await inspectOnPhone(page, 'the DApps');

  const address = live.getByRole('link', { name: `${canisters[0]}.localhost` });
  await expect(address).toHaveAttribute('rel', /\bnoopener\b/);
  const [site] = await Promise.all([context.waitForEvent('page'), address.click()]);
  await expect(site.getByRole('heading', { name: 'shop' })).toBeVisible();
  await site.close();

  const search = page.getByRole('searchbox', { name: 'Search DApps' });
  await search.pressSequentially('broken oven');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/[?&]q=broken\+oven/);
  await page.reload();
  await expect(search).toHaveValue('broken oven');
  await expect(rows).toHaveText(/Broken oven/);
  await page.getByLabel('State', { exact: true }).selectOption('Live');
  await expect(page.getByText('No DApp matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all DApps' }).click();
  await expect(rows).toHaveCount(3);
  await expect(search).toHaveValue('');
  await page.getByLabel('Type', { exact: true }).selectOption('custom');
  await expect(rows).toHaveText(/Ledger/);
  await expect(page).toHaveURL(/[?&]type=CUSTOM/);
  await page.getByLabel('Type', { exact: true }).selectOption('All types');
  // The address follows the choice; going back leads to what it says.
  await expect(page).not.toHaveURL(/[?&]type=/);

  // Anywhere in its row, and with Ctrl in a tab beside.
  const facts = rows.filter({ hasText: 'Broken oven' }).getByText('Failed');
  const beside = await addressOfTab(page, () => facts.click({ modifiers: ['ControlOrMeta'], force: true }));
  expect(beside).toBe(`${product.url}/ics/deploy/${broken}`);
  await facts.click({ force: true });
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${broken}`);
  await page.goBack();
  await expect(rows).toHaveCount(3);
});

test('[CAN-30] [CAN-31] the page of DApps says that there is none, that they cannot be loaded, and shows one that comes', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dapps`);
  await expect(page.getByText("You haven't deployed anything yet.")).toBeVisible();
  const calls = callsOf(page, 'GET', '/api/deploy');
  await createSite(product, user, 'arrived');
  await expect(page.getByRole('list', { name: 'DApps' })).toContainText('arrived', { timeout: 15_000 });
  expect(calls.length, 'without a reload').toBeGreaterThan(0);

  await failCalls(page, /\/api\/deploy\/?(\?.*)?$/, 500);
  await page.reload();
  await expect(page.getByText('Cannot load DApps. Please try again later.')).toBeVisible();
  await expect(page.getByText('Error while fetching deploy details')).toBeVisible();
  await page.unroute(/\/api\/deploy\/?(\?.*)?$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'DApps' })).toContainText('arrived');
});

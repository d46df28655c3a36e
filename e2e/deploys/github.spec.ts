import { type PretendGitHub, startPretendGitHub } from '@cannery/dev-env';
import type { BrowserContext } from '@playwright/test';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test as base } from '../support/product.ts';

/** A product with a GitHub App. */
const test = base.extend<object, { github: PretendGitHub }>({
  github: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const github = await startPretendGitHub();
      await use(github);
      await github.close();
    },
    { scope: 'worker' },
  ],
  settings: [({ github }, use) => use(github.env), { scope: 'worker' }],
});

interface Person {
  readonly github: PretendGitHub;
  readonly login: string;
  readonly productUrl: string;
}

/** A person who says yes on every page of GitHub; answers the addresses that the browser has opened there. */
async function sayYes(
  context: BrowserContext,
  { github, login, productUrl }: Person,
  back: (query: URLSearchParams) => void = () => undefined,
): Promise<URL[]> {
  const opened: URL[] = [];
  await context.route(`${github.url}/**`, (route) => {
    const url = new URL(route.request().url());
    opened.push(url);
    const { world } = github;
    const person = world.account(login);
    const installation =
      world.installations.find(({ account }) => account === person) ?? world.install(person);
    const query = new URLSearchParams({
      code: world.code(person),
      installation_id: String(installation.id),
      setup_action: 'install',
      state: url.searchParams.get('state') ?? '',
    });
    back(query);
    return route.fulfill({
      status: 302,
      headers: { location: `${productUrl}/git/github/connected?${query}` },
    });
  });
  return opened;
}

test('[DEP-08] [DEP-09] [DEP-10] an account of GitHub is connected, and its private repository deployed', async ({
  page,
  context,
  product,
  github,
  user,
  signedIn: _signedIn,
}) => {
  github.world.repository('octo/shop');
  await github.git.commit('octo/shop', { 'index.html': '<h1>Shop</h1>' }, 'Open the shop');
  const opened = await sayYes(context, { github, login: 'octo', productUrl: product.url });
  await page.goto(`${product.url}/ics/deploy?type=STATIC_SITE`);
  await expect(page.getByText('Connect a repository')).toBeVisible();
  await expect(page.getByText('Start from a template')).toBeHidden();
  const connect = page.getByRole('link', { name: 'Connect with GitHub' });
  const [tab] = await Promise.all([context.waitForEvent('page'), connect.click()]);
  await expect(tab.getByText('Connected with GitHub: octo')).toBeVisible();
  await expect(tab).toHaveURL(`${product.url}/ics/deploy?type=STATIC_SITE`);
  const state = JSON.parse(opened[0]?.searchParams.get('state') ?? '') as Record<string, string>;
  const { id } = await user.api.call<{ id: string }>('GET', '/user/profile/');
  expect(state).toMatchObject({ user_id: id, deploy_type: 'STATIC_SITE' });

  const row = tab.getByRole('listitem').filter({ hasText: 'octo / shop' });
  await expect(row.getByRole('img', { name: 'private' })).toBeVisible();
  const account = tab.getByRole('link', { name: 'octo', exact: true });
  await expect(account).toHaveAttribute('href', `${github.url}/octo`);
  await expect(tab.getByRole('link', { name: 'Configure account' })).toHaveAttribute(
    'href',
    new RegExp(`^${product.url}/git/github\\?state=`),
  );
  await row.getByRole('button', { name: 'Connect' }).click();
  await expect(tab.getByRole('heading', { name: 'You are creating deploy for octo/shop' })).toBeVisible();
  await new NewDeployPages(tab, product.url).fill({ name: 'Shop' });
  await tab.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(tab).toHaveURL(/\/ics\/deploy\/[\w-]{36}/, { timeout: 30_000 });
  await expect(tab.getByText(/is live for/)).toBeVisible({ timeout: 60_000 });
  expect(github.faults).toEqual([]);
});

test('R10: a way back that is not this session’s connects nothing, says so and leads on', async ({
  page,
  context,
  product,
  github,
  user,
  signedIn: _signedIn,
}) => {
  github.world.repository('mallet/bait');
  const foreign = JSON.stringify({ user_id: 'x', deploy_type: 'MOTOKO', secret: 'A'.repeat(43) });
  let isForged = true;
  await sayYes(context, { github, login: 'mallet', productUrl: product.url }, (query) => {
    if (isForged) query.set('state', foreign);
  });
  await page.goto(`${product.url}/git/github?state=${encodeURIComponent('{"deploy_type":"MOTOKO"}')}`);
  const reason = 'This connection was not started in this session, took too long, or has been used already.';
  await expect(page.getByText(reason)).toBeVisible();
  // Nothing of it stays in the address or the history.
  await expect(page).toHaveURL(`${product.url}/git/github/connected`);
  expect(await user.api.call('GET', '/deploy/repos')).toEqual([]);
  isForged = false;
  await page.getByRole('button', { name: 'The app is installed already' }).click();
  await expect(page.getByText('Connected with GitHub: mallet')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/ics/deploy?type=MOTOKO`);
});

test('an installation that has to be approved by others is told of', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/git/github/connected?setup_action=request&code=x`);
  await expect(page.getByText('GitHub has asked an owner of the account')).toBeVisible();
  const pages = new NewDeployPages(page, product.url);
  await pages.open('STATIC_SITE');
  await expect(page.getByRole('link', { name: 'Connect with GitHub' })).toBeVisible();
});

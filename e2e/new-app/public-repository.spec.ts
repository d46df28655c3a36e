import { type GitServer, startGitServer } from '@cannery/dev-env';
import { callsOf } from '../support/calls.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test as base } from '../support/product.ts';

/** Nothing listens there. */
const AWAY = 'localhost:1';

/** A product that may deploy from one host outside; its git provider has the pages of another. */
const test = base.extend<object, { outside: GitServer }>({
  outside: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const outside = await startGitServer();
      await use(outside);
      await outside.close();
    },
    { scope: 'worker' },
  ],
  settings: [
    ({ outside }, use) =>
      use({
        GIT_HOSTS: `${outside.host}, ${AWAY}`,
        EGRESS_PRIVATE_HOSTS: `${outside.host}, ${AWAY}`,
        GIT_CA_FILE: outside.caFile,
        GIT_PROVIDER_NAME: 'Forge',
        SUPPORT_URL: 'https://chat.example/cannery',
        GIT_ACCOUNT_URL_PATTERN: 'https://forge.example/u/{owner}',
        GIT_REPOSITORY_URL_PATTERN: 'https://forge.example/r/{owner}/{repo}',
        GIT_TREE_URL_PATTERN: 'https://forge.example/r/{owner}/{repo}/b/{branch}',
        GIT_INSTALL_URL: 'https://forge.example/apps/new?from=cannery',
      }),
    { scope: 'worker' },
  ],
});

test('[DEP-07] [DEP-11] [DEP-13] [DEP-14] [DEP-18] [DEP-21] [VAL-27] a repository of another host is looked up, deployed and linked there', async ({
  page,
  product,
  outside,
  signedIn: _signedIn,
}) => {
  await outside.commit('flour/mill', { 'index.html': '<h1>Flour</h1>' }, 'Grain to flour');
  await outside.branch('flour/mill', 'feature/stone');
  const lookUps = callsOf(page, 'POST', '/api/deploy/branches');
  const creations = callsOf(page, 'POST', '/api/deploy');
  const form = new NewDeployPages(page, product.url);
  await form.open('STATIC_SITE');
  const refusal = page.getByRole('alert');
  for (const [url, reason] of [
    ['https://evil.example/flour/mill', /^Repositories of evil\.example cannot be deployed here\./],
    [`http://${outside.host}/flour/mill`, /^Only addresses with https are accepted\./],
    [`${outside.url}/flour/no-such`, /^There is no repository \S+no-such, or it is not public\.$/],
    [`https://${AWAY}/flour/mill`, /^The git host localhost cannot be reached from this machine/],
  ] as const) {
    await form.continueWith(url);
    await expect(refusal).toHaveText(reason);
    await expect(form.repositoryUrl).toHaveAttribute('aria-invalid', 'true');
    await expect(page).toHaveURL(/\/ics\/deploy\/?\?type=STATIC_SITE&from=url$/);
  }

  const url = `${outside.url}/flour/mill.git`;
  await form.continueWith(url);
  expect(await form.handedOver()).toEqual({ repo_name: 'mill', owner: 'flour', isPublic: true, url });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are creating deploy for flour/mill');
  await expect(page.getByRole('link', { name: 'flour/mill' })).toHaveAttribute(
    'href',
    `${outside.url}/flour/mill`,
  );
  await expect(form.branch).toHaveValue('main');
  expect(lookUps.at(-1)?.postDataJSON()).toEqual({ repo: 'mill', owner: 'flour', is_public: true, url });
  await form.branch.selectOption('feature/stone');
  await form.fill({ name: 'Mill' });
  await form.submit.click();
  await page.waitForURL(/\/ics\/deploy\/[0-9a-f-]{36}$/);
  expect(creations.at(-1)?.postDataJSON()).toEqual({
    name: 'Mill',
    branch: 'feature/stone',
    owner: 'flour',
    repo_name: 'mill',
    deploy_type: 'STATIC_SITE',
    is_public: true,
    url,
    build_command: '',
    publish_directory: '',
  });
  await expect(page.getByText('Mill is live for')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId('live')).toContainText('Grain to flour');
  for (const name of [`${outside.host}/flour/mill`, 'feature/stone']) {
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', `${outside.url}/flour/mill`);
  }
});

test('[DEP-08] [DEP-09] [NAV-17] [CONST-10] [OP-40] the git provider and the chat are called and linked as the settings say', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const choice = new NewDeployPages(page, product.url);
  await choice.open('MOTOKO');
  const connect = page.getByRole('link', { name: 'Connect with Forge' });
  const { id } = await user.api.call<{ id: string }>('GET', '/user/profile');
  const state = encodeURIComponent(JSON.stringify({ user_id: id, deploy_type: 'MOTOKO' }));
  const install = `https://forge.example/apps/new?from=cannery&state=${state}`;
  await expect(connect).toHaveAttribute('href', install);

  await user.api.call('POST', '/repository/templates/static-site');
  await choice.tab('My repositories').click();
  await expect(page.getByRole('link', { name: 'Configure account' })).toHaveAttribute('href', install);
  await page.getByRole('button', { name: 'profile menu' }).click();
  const chat = page.getByRole('menuitem', { name: 'Support', exact: true });
  await expect(chat).toHaveAttribute('href', 'https://chat.example/cannery');
  await page.keyboard.press('Escape');
  const account = page.getByRole('link', { name: user.name });
  await expect(account).toHaveAttribute('href', `https://forge.example/u/${user.name}`);

  const { id: deploy } = await user.api.call<{ id: string }>('POST', '/deploy', {
    name: 'Site',
    branch: 'main',
    owner: user.name,
    repo_name: 'static-site',
    deploy_type: 'STATIC_SITE',
  });
  await page.goto(`${product.url}/ics/deploy/${deploy}`);
  const repository = `https://forge.example/r/${user.name}/static-site`;
  await expect(page.getByRole('link', { name: `${user.name}/static-site` })).toHaveAttribute(
    'href',
    repository,
  );
  await expect(page.getByRole('link', { name: 'main', exact: true })).toHaveAttribute(
    'href',
    `${repository}/b/main`,
  );
});

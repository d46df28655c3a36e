import { renameSync } from 'node:fs';
import { createApi } from '@cannery/dev-env';
import { expectFits, violationsOf } from '../support/accessibility.ts';
import { callsOf, failCalls, holdCalls, msBetween } from '../support/calls.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { SignInPage } from '../pages/sign-in-page.ts';
import { Toasts } from '../pages/toasts.ts';
import { expect, test } from '../support/product.ts';
import { refusalIsOver } from '../support/refused-form.ts';
import { pushBranch, pushFiles, repositoryFolder } from '../support/repositories.ts';

const page1 = { 'index.html': '<h1>Fresh bread</h1>' };

test('[DEP-01] [DEP-02] [DEP-09] [DEP-10] [ERR-15] the repository choice without repositories', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const choice = new NewDeployPages(page, product.url);
  const spinner = page.getByText('Loading repositories').or(page.getByLabel('Loading repositories'));
  const { prompt } = choice;
  const release = await holdCalls(page, '**/api/deploy/repos');
  await choice.open('STATIC_SITE');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a new Static Website');
  await expect(spinner.first()).toBeVisible();
  await expect(prompt).toBeHidden();
  await release();
  await expect(prompt).toBeVisible();
  await expect(spinner).toHaveCount(0);

  const { id } = await user.api.call<{ id: string }>('GET', '/user/profile');
  for (const [type, heading] of [
    ['MOTOKO', 'Create a new MOTOKO Smart Contract'],
    ['CUSTOM', 'Create a new Custom DFX DApp'],
  ] as const) {
    await choice.open(type);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(prompt).toBeVisible();
    const href = await page.getByRole('link', { name: /^Connect with / }).getAttribute('href');
    const address = new URL(href ?? '');
    expect(address.origin + address.pathname).toBe(`${product.url}/git/connect`);
    expect(JSON.parse(address.searchParams.get('state') ?? '')).toEqual({ user_id: id, deploy_type: type });
  }

  // In the place of the list too, where a newcomer does not begin.
  await choice.tab('My repositories').click();
  await expect(
    page.getByRole('tabpanel', { name: 'My repositories' }).getByText('Connect a repository'),
  ).toBeVisible();
  await expect(choice.repositories).toHaveCount(0);
  await choice.tab('Git URL').click();
  await expect(page.getByRole('heading', { name: 'Public Git repository' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 }), 'the same above each tab').toHaveText(
    'Create a new Custom DFX DApp',
  );

  await failCalls(page, '**/api/deploy/repos', 500);
  await choice.open('STATIC_SITE');
  await expect(prompt).toBeVisible();
  await expect(choice.tab('My repositories')).toHaveAttribute('aria-selected', 'true');
  await choice.tab('Git URL').click();
  await expect(page.getByRole('heading', { name: 'Public Git repository' })).toBeVisible();
});

test('[DEP-03] [DEP-04] [DEP-05] [DEP-08] [DEP-11] [DEP-13] [DEP-14] [DEP-15] [DEP-16] from the list of repositories to the form', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'Bakery-Site', page1);
  await pushFiles(product, user, 'mill', page1);
  await pushBranch(product, user, 'mill', 'feature/stone');
  const choice = new NewDeployPages(page, product.url);
  await choice.open('STATIC_SITE');

  await expect(choice.repositories).toHaveCount(2);
  const row = choice.repositories.filter({ hasText: `${user.name} / mill` });
  await expect(row.getByRole('img', { name: 'private' })).toBeVisible();
  await expect(row.getByRole('button', { name: 'Connect' })).toBeVisible();
  const accounts = page.getByRole('listitem').filter({ hasText: '2 repos' });
  await expect(accounts.getByRole('link', { name: user.name })).toHaveAttribute(
    'href',
    `${product.url}/${user.name}`,
  );

  const search = page.getByLabel('Search repositories');
  await search.fill('bAKERY');
  await expect(choice.repositories).toHaveText([new RegExp(`${user.name} / Bakery-Site`)]);
  await search.fill('no such thing');
  await expect(choice.repositories.getByRole('button', { name: 'Connect' })).toHaveCount(0);
  await expect(page.getByText('Connect a repository')).toBeHidden();
  await search.fill('');

  const release = await holdCalls(page, '**/api/deploy/branches');
  await choice.connect('mill');
  expect(await choice.handedOver()).toEqual({
    repo_name: 'mill',
    owner: user.name,
    isPublic: false,
    url: expect.stringContaining(`${product.url}/${user.name}/mill`),
  });
  await expect(page).toHaveURL(`${product.url}/ics/deploy/new?deploy_type=STATIC_SITE`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `You are creating deploy for ${user.name}/mill`,
  );
  await expect(page.getByRole('link', { name: `${user.name}/mill` })).toHaveAttribute(
    'href',
    new RegExp(`^${product.url}/${user.name}/mill`),
  );

  await expect(choice.branch).toHaveValue('master');
  await release();
  await expect(choice.branch).toHaveValue('main');
  await expect(choice.branch.getByRole('option')).toHaveText(['main', 'feature/stone']);
  await choice.branch.selectOption('feature/stone');
  await expect(choice.branch).toHaveValue('feature/stone');

  await choice.fill({ buildCommand: 'make bread' });
  await expect(choice.buildCommand).toHaveValue('make bread');
  await expect(page.getByRole('main').getByText('$', { exact: true })).toBeVisible();
  await expect(choice.publishDirectory).toBeVisible();

  for (const type of ['MOTOKO', 'CUSTOM']) {
    await choice.open(type);
    await choice.connect('mill');
    await expect(page).toHaveURL(`${product.url}/ics/deploy/new?deploy_type=${type}`);
    await expect(choice.name).toBeVisible();
    await expect(choice.buildCommand).toHaveCount(0);
    await expect(choice.publishDirectory).toHaveCount(0);
  }
});

test('[DEP-06] [DEP-07] [DEP-12] [VAL-27] a public repository of this host by its address, and the form without one', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'mill', page1);
  const lookUps = callsOf(page, 'POST', '/api/deploy/branches');
  const choice = new NewDeployPages(page, product.url);
  await choice.open('MOTOKO');
  for (const [text, reason] of [
    ['not an address', /^This is not the address of a repository\./],
    [product.url, /^The address names no owner and repository\./],
    ['https://github.com/owner', /^The address names no owner and repository\./],
  ] as const) {
    await choice.continueWith(text);
    await expect(page.getByRole('alert')).toHaveText(reason);
    await expect(choice.repositoryUrl).toHaveAttribute('aria-invalid', 'true');
  }
  expect(lookUps).toHaveLength(0);
  await choice.continueWith(`${product.url}/nobody/mill`);
  await expect(page.getByRole('alert')).toHaveText(/^There is no repository nobody\/mill/);
  await expect(page).toHaveURL(/\/ics\/deploy\/?\?type=MOTOKO&from=url$/);

  const url = `${product.url}/${user.name}/mill.git`;
  await choice.continueWith(` ${url} `);
  expect(await choice.handedOver()).toEqual({ repo_name: 'mill', owner: user.name, isPublic: true, url });
  await expect(page).toHaveURL(`${product.url}/ics/deploy/new?deploy_type=MOTOKO`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `You are creating deploy for ${user.name}/mill`,
  );
  expect(lookUps.at(-1)?.postDataJSON()).toEqual({ repo: 'mill', owner: user.name, is_public: true });

  // A separate address: opened again, the form's would keep its navigation state.
  await choice.open('MOTOKO');
  await page.goto(`${product.url}/ics/deploy/new?deploy_type=MOTOKO`);
  await expect(page).toHaveURL(/\/ics\/deploy\/?\?type=MOTOKO$/);
  await page.goto(`${product.url}/ics/deploy/new`);
  await expect(page).toHaveURL(/\/ics\/deploy\/?$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a new Static Website');
});

test('[VAL-21] [VAL-22] [VAL-24] the form says what is wrong once a field was touched, and makes no call', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'mill', page1);
  const creations = callsOf(page, 'POST', '/api/deploy');
  const form = new NewDeployPages(page, product.url);
  await form.open('STATIC_SITE');
  await form.connect('mill');
  const required = page.getByText('Required', { exact: true });
  const invalid = page.getByText('Invalid publish directory');
  await expect(form.branch).toHaveValue('main');
  await expect(required).toHaveCount(0);

  await form.publishDirectory.fill('../secrets');
  await expect(invalid).toHaveCount(0);
  await form.publishDirectory.blur();
  await expect(invalid).toBeVisible();
  await expect(required).toHaveCount(0);
  await expect(form.name).toHaveValue('mill');
  await form.name.fill('');
  await form.name.blur();
  await expect(required).toBeVisible();
  await expect(form.name).toHaveAttribute('aria-invalid', 'true');

  await form.submit.click();
  await expect(form.name).toBeFocused();
  await refusalIsOver(page);
  await form.fill({ name: 'Mill' });
  await expect(required).toHaveCount(0);
  await form.submit.click();
  await expect(form.publishDirectory).toBeFocused();
  await expect(invalid).toBeVisible();
  await refusalIsOver(page);
  await form.fill({ name: '   ', publishDirectory: '' });
  await expect(invalid).toHaveCount(0);
  await form.submit.click();
  await expect(required).toBeVisible();
  await expect(form.submit).toHaveText('Deploy');
  expect(creations).toHaveLength(0);
});

test('[DEP-16] [DEP-18] [DEP-20] [VAL-23] the create call carries form and navigation state; refused, the form is free again', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'ghost', page1);
  const folder = repositoryFolder(product, user, 'ghost');
  const creations = callsOf(page, 'POST', '/api/deploy');
  const form = new NewDeployPages(page, product.url);
  const state = { owner: user.name, repo_name: 'ghost', is_public: true, branch: 'main', name: 'Ghost' };
  for (const [deploy_type, fields] of [
    ['MOTOKO', {}],
    ['CUSTOM', {}],
    ['STATIC_SITE', { build_command: '', publish_directory: '' }],
    ['STATIC_SITE', { build_command: ' .. && "ä" | $(x) ', publish_directory: 'out/site' }],
  ] as const) {
    await form.open(deploy_type);
    await form.continueWith(`${product.url}/${user.name}/ghost.git`);
    await expect(form.branch).toHaveValue('main');
    await form.fill({ name: 'Ghost' });
    if ('build_command' in fields)
      await form.fill({ buildCommand: fields.build_command, publishDirectory: fields.publish_directory });
    renameSync(folder, `${folder}.gone`);
    await form.submit.click();
    // There is no such repository any more, which the service says in its own words.
    await expect(page.getByRole('alert').first()).toContainText(`There is no repository ${user.name}/ghost`);
    renameSync(`${folder}.gone`, folder);
    await expect(form.submit).toHaveText('Deploy');
    await expect(form.submit).toBeEnabled();
    expect(creations.at(-1)?.postDataJSON()).toEqual({ ...state, deploy_type, ...fields });
  }
  expect(creations).toHaveLength(4);
  // The words stay on the page when the toast is gone.
  const kept = page.getByRole('main').getByRole('alert');
  await expect(kept).toContainText(`There is no repository ${user.name}/ghost`);
  await expect(kept).toContainText('Check owner and name of the repository.');
});

test('[DEP-17] [DEP-19] [DEP-20] the first deploy is triggered 4 seconds after the creation; a failed trigger is tried again alone', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'mill', page1);
  const toasts = new Toasts(page);
  await toasts.watch();
  const creations = callsOf(page, 'POST', '/api/deploy');
  const triggers = callsOf(page, 'POST', '/trigger');
  const form = new NewDeployPages(page, product.url);
  await form.open('STATIC_SITE');
  await form.connect('mill');
  await form.fill({ name: 'Mill' });
  await expect(form.branch).toHaveValue('main');
  await failCalls(page, '**/api/deploy/*/trigger', 500, { error: 'Too many runs wait.' });

  const created = page.waitForResponse((response) => response.url().endsWith('/api/deploy'));
  await form.submit.click();
  await expect(form.submit).toHaveText('Deploying...');
  await expect(form.submit).toBeDisabled();
  const { id } = (await (await created).json()) as { id: string };
  await expect(page.getByText('Failed! Could not trigger deploy')).toBeVisible();
  const waited = await msBetween(page, '/api/deploy', '/trigger');
  expect(waited).toBeGreaterThan(3_900);
  expect(waited).toBeLessThan(5_500);
  expect(new URL(triggers[0]?.url() ?? '').pathname).toBe(`/api/deploy/${id}/trigger`);
  await expect(form.submit).toHaveText('Deploy');
  await expect(page).toHaveURL(/\/ics\/deploy\/new/);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Too many runs wait. Press Deploy');

  await page.unrouteAll();
  await form.submit.click();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}`);
  expect(creations).toHaveLength(1);
  expect(triggers).toHaveLength(2);
  await expect(page.getByText('Mill is live for')).toBeVisible({ timeout: 60_000 });
  await expect
    .poll(() => toasts.texts())
    .toEqual(['Failed! Could not trigger deploy', 'Deployment Successful!']);
});

test('[DEP-08] each git account has the count of its own repositories', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'mill', page1);
  await pushFiles(product, user, 'bakery', page1);
  // The host that comes along has one account for each user; another provider tells of organisations too.
  await page.route('**/api/deploy/repos', async (route) => {
    const answer = await route.fetch();
    const own = (await answer.json()) as { owner: { login: string } }[];
    const other = own.slice(0, 1).map((one) => ({ ...one, name: 'works', owner: { login: 'works' } }));
    await route.fulfill({ response: answer, json: [...own, ...other] });
  });
  await new NewDeployPages(page, product.url).open('STATIC_SITE');
  const accounts = page.getByRole('heading', { name: 'Git accounts' }).locator('xpath=..');
  await expect(accounts.getByRole('listitem')).toHaveText([`${user.name}2 repos`, 'works1 repo']);
});

test('[DEP-08] [DEP-09] [DEP-11] [DEPD-02] the pages of the git host open in the browser that signed in', async ({
  page,
  context,
  product,
}) => {
  const signIn = new SignInPage(page, product.url);
  await signIn.open();
  await signIn.signInAs('gita');
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const user = { name: 'gita', api: createApi(product.url, token) };
  const readme = '# The mill\n\nGrinds <b>all</b> that comes.';
  const folder = `public/${'a-folder-with-a-long-name/'.repeat(4)}index.html`;
  const commit = await pushFiles(product, user, 'mill', { 'README.md': readme, [folder]: '<h1>Flour</h1>' });
  await pushBranch(product, user, 'mill', 'feature/stone');

  const opened = async (link: string, address: string) => {
    const popup = context.waitForEvent('page');
    await page.getByRole('link', { name: link }).click();
    const shown = await popup;
    await expect(shown).toHaveURL(product.url + address);
    await expect(shown.getByRole('heading', { level: 1 })).toBeVisible();
    for (const [width, scheme] of [
      [1440, 'dark'],
      [390, 'light'],
    ] as const) {
      await shown.setViewportSize({ width, height: 844 });
      await shown.emulateMedia({ colorScheme: scheme });
      await expectFits(shown, `${address} at ${width} px`);
    }
    expect(await violationsOf(shown), address).toEqual([]);
    await shown.screenshot({ fullPage: true });
    return shown;
  };

  const choice = new NewDeployPages(page, product.url);
  await choice.open('MOTOKO');
  const account = await opened('gita', '/gita');
  await expect(account.getByRole('link', { name: 'mill' })).toHaveAttribute('href', '/gita/mill');
  await account.close();

  const connect = await opened('Configure account', '/gita?type=MOTOKO');
  await expect(connect.getByText(`git remote add cannery ${product.url}/gita/my-project.git`)).toBeVisible();
  await connect.getByRole('link', { name: 'Back to the deploy' }).click();
  await expect(connect).toHaveURL(/\/ics\/deploy\/?\?type=MOTOKO$/);
  await connect.close();

  await choice.connect('mill');
  const repository = await opened('gita/mill', '/gita/mill');
  await expect(repository.getByText('Grinds <b>all</b> that comes.')).toBeVisible();
  await repository.close();

  const { id } = await user.api.call<{ id: string }>('POST', '/deploy', {
    name: 'Mill',
    branch: 'feature/stone',
    owner: 'gita',
    repo_name: 'mill',
    deploy_type: 'STATIC_SITE',
  });
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await (await opened('gita/mill', '/gita/mill')).close();
  const tree = await opened('feature/stone', '/gita/mill/tree/feature%2Fstone');
  await expect(
    tree.getByRole('navigation', { name: 'Branches' }).locator('[aria-current="page"]'),
  ).toHaveText('feature/stone');
  await expect(tree.getByText(commit.slice(0, 7))).toBeVisible();

  // Nobody else sees any of it: without the session there is only the console.
  await tree.reload();
  await expect(tree.getByText(commit.slice(0, 7))).toBeVisible();
  // This tab may be at the sign-in page already.
  await page.evaluate(() => localStorage.removeItem('token'));
  await tree.goto(`${product.url}/gita/mill/tree/feature%2Fstone`);
  await expect(tree.getByText("Oops. Looks like the page you're looking for")).toBeVisible();
  await expect(tree.getByText(commit.slice(0, 7))).toHaveCount(0);
});

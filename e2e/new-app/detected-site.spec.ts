import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

test('[DEP-15] [DEP-18] the form is filled in by what the branch is recognised as, and says why, until the user writes', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const manifest = { devDependencies: { vite: '8.0.0' }, scripts: { build: 'vite build' } };
  await pushFiles(product, user, 'shop', { 'package.json': JSON.stringify(manifest), 'pnpm-lock.yaml': '' });
  const choice = new NewDeployPages(page, product.url);
  await choice.open('STATIC_SITE');
  await choice.connect('shop');
  await expect(page.getByRole('status').filter({ hasText: 'Vite found in package.json.' })).toBeVisible();
  await expect(page.getByLabel('Build command')).toHaveValue('pnpm run build');
  await expect(page.getByLabel('Publish directory')).toHaveValue('dist');

  const release = await holdCalls(page, '**/api/deploy/detect');
  await choice.open('STATIC_SITE');
  await choice.connect('shop');
  await page.getByLabel('Build command').fill('make');
  const answered = page.waitForResponse('**/api/deploy/detect');
  await release();
  await answered;
  await expect(page.getByRole('status').filter({ hasText: 'Vite found' })).toBeVisible();
  await expect(page.getByLabel('Build command')).toHaveValue('make');
  await expect(page.getByLabel('Publish directory')).toHaveValue('');

  // Who is about to write finds nothing in the field that was not there.
  const releaseAgain = await holdCalls(page, '**/api/deploy/detect');
  await choice.open('STATIC_SITE');
  await choice.connect('shop');
  await page.getByLabel('Publish directory').focus();
  const answeredAgain = page.waitForResponse('**/api/deploy/detect');
  await releaseAgain();
  await answeredAgain;
  await expect(page.getByRole('status').filter({ hasText: 'Vite found' })).toBeVisible();
  await page.keyboard.type('out');
  await expect(page.getByLabel('Publish directory')).toHaveValue('out');

  const motoko = callsOf(page, 'POST', '/api/deploy/detect');
  await choice.open('MOTOKO');
  await choice.connect('shop');
  await expect(page.getByLabel('Branch')).toBeVisible();
  expect(motoko).toHaveLength(0);
});

test('[DEP-14] Deploy that is pressed before the branches have come waits for them', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'mill', { 'index.html': '<h1>Mill</h1>' });
  const choice = new NewDeployPages(page, product.url);
  const created = callsOf(page, 'POST', '/api/deploy');
  const release = await holdCalls(page, '**/api/deploy/branches');
  await choice.open('STATIC_SITE');
  await choice.connect('mill');
  await choice.fill({ name: 'Mill' });
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Deploying...' })).toBeDisabled();
  await expect(choice.branch).toHaveValue('master');
  expect(created).toEqual([]);
  await release();
  await expect(page).toHaveURL(/\/ics\/deploy\/[\w-]{36}/);
  expect(created.map((call) => call.postDataJSON())).toEqual([
    expect.objectContaining({ name: 'Mill', branch: 'main' }),
  ]);
});

test('[DEP-14] branches that could not be read are not said to be none, and are read again on demand', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'mill', { 'index.html': '<h1>Mill</h1>' });
  const choice = new NewDeployPages(page, product.url);
  await failCalls(page, '**/api/deploy/branches', 500);
  await choice.open('STATIC_SITE');
  await choice.connect('mill');
  await expect(page.getByText('The branches could not be read.')).toBeVisible();
  await expect(page.getByText('This repository has no branch yet')).toHaveCount(0);
  await expect(choice.branch).toHaveValue('master');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(choice.branch).toHaveValue('main');
  await expect(page.getByText('The branches could not be read.')).toHaveCount(0);
});

test('a folder that may be meant is offered as Root directory; where nothing is found, the form says so', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const manifest = { devDependencies: { astro: '6.0.0' }, scripts: { build: 'astro build' } };
  await pushFiles(product, user, 'starlight', {
    'README.md': 'Starlight',
    'handbook/package.json': JSON.stringify(manifest),
    'handbook/astro.config.mjs': '',
  });
  const choice = new NewDeployPages(page, product.url);
  await choice.open('STATIC_SITE');
  await choice.connect('starlight');
  const nothing = page.getByRole('status').filter({ hasText: 'Nothing that can be published was found.' });
  await expect(nothing).toBeVisible();
  const offers = page.getByRole('region', { name: 'Folders that may be meant' });
  await expect(offers).toContainText('has astro.config.mjs');
  await offers.getByRole('button', { name: 'Use handbook' }).click();
  await expect(page.getByLabel('Root directory')).toHaveValue('handbook');
  await expect(page.getByRole('status').filter({ hasText: 'Astro found in package.json.' })).toBeVisible();
  await expect(page.getByLabel('Build command')).toHaveValue('npm run build');
  await expect(offers).toBeHidden();
  await expect(nothing).toBeHidden();

  await pushFiles(product, user, 'dip', {
    'motoko/dfx.json': JSON.stringify({ canisters: { token: { main: 'token.mo' } } }),
    'motoko/token.mo': 'persistent actor {}',
    'motoko/other.mo': 'persistent actor {}',
  });
  await choice.open('CUSTOM');
  await choice.connect('dip');
  await offers.getByRole('button', { name: 'Use motoko' }).click();
  await expect(page.getByRole('region', { name: 'What will be created' })).toContainText('token');
});

import { createDeploy, runsOf } from '../support/deploys.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

/** A shop with two canisters of code, one of which takes an argument that the project does not give, and a website. */
const shop = {
  'dfx.json': JSON.stringify({
    canisters: {
      till: { main: 'till.mo' },
      stock: { main: 'stock.mo' },
      counter: { type: 'assets', source: ['dist'], build: ['node build.mjs'], dependencies: ['till'] },
    },
  }),
  'till.mo':
    'persistent actor class Till(currency : Text) { public query func money() : async Text { currency } }',
  'stock.mo':
    'import Till "canister:till"; persistent actor { public composite query func price() : async Text { "5 " # (await Till.money()) } }',
  'build.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist');
writeFileSync('dist/index.html', '<h1>Shop</h1><p>' + process.env.CANISTER_ID_TILL + '</p>');`,
};

test('[DEP-01] [DEP-16] [DEP-17] [DEP-18] [DEP-19] [DEPD-01] [DEPD-06] [DEPD-12] a project of three canisters goes live as CUSTOM, with an argument of its settings', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', shop);
  const pages = new NewDeployPages(page, product.url);
  await pages.open('STATIC_SITE');
  const types = page.getByRole('navigation', { name: 'What to create' });
  await expect(types.getByRole('link', { name: 'Website' })).toHaveAttribute('aria-current', 'page');
  await types.getByRole('link', { name: /^Whole project/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a new Custom DFX DApp');
  await pages.connect('shop');
  await expect(pages.buildCommand).toHaveCount(0);
  await expect(pages.publishDirectory).toHaveCount(0);
  await pages.fill({ name: 'Shop' });
  const created = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/deploy'),
  );
  await pages.deploy();
  await expect(pages.submit).toHaveText('Deploying...');
  await expect(pages.submit).toBeDisabled();
  expect((await created).postDataJSON()).toEqual({
    name: 'Shop',
    branch: 'main',
    owner: user.name,
    repo_name: 'shop',
    deploy_type: 'CUSTOM',
    is_public: false,
  });
  await page.waitForURL(/\/ics\/deploy\/[\w-]{36}$/);
  const deploy = new DeployPage(page);
  // The first run fails for want of the argument, and says where it can be given.
  await expect(deploy.latest).toContainText('failed for', { timeout: 60_000 });
  await expect(
    page.getByText(/The canister till needs install arguments of type \(text\)/).first(),
  ).toBeVisible();

  await page.getByRole('link', { name: 'Settings' }).click();
  const form = page.getByRole('form', { name: 'Install arguments' });
  await form.getByRole('button', { name: 'Add canister' }).click();
  await form.getByLabel('Canister name').fill('till');
  await form.getByLabel('Arguments', { exact: true }).fill('("euros")');
  await form.getByRole('button', { name: 'Save arguments' }).click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await expect(form.getByLabel('Arguments of till')).toHaveValue('("euros")');
  await page.getByRole('tab', { name: 'Details' }).click();
  await deploy.manualDeploy.click();
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });

  // Each canister has its name, its pages, and the website its address.
  const canisters = page.getByRole('list', { name: 'Canisters' }).getByRole('listitem');
  await expect(canisters).toHaveCount(3);
  for (const name of ['till', 'stock', 'counter']) {
    const one = canisters.filter({ hasText: name });
    await expect(one.getByRole('link', { name: 'Canister details' })).toBeVisible();
    await expect(one.getByRole('link', { name: 'Candid UI' })).toBeVisible();
    await expect(one.getByRole('link', { name: 'Visit' })).toHaveCount(name === 'counter' ? 1 : 0);
  }
  const till = await canisters
    .filter({ hasText: 'till' })
    .getByRole('link', { name: 'Canister details' })
    .getAttribute('href');
  const opened = context.waitForEvent('page');
  await canisters.filter({ hasText: 'counter' }).getByRole('link', { name: 'Visit' }).click();
  const site = await opened;
  await expect(site.getByRole('heading', { name: 'Shop' })).toBeVisible();
  await expect(site.getByRole('paragraph')).toHaveText(till?.split('/').at(-1) ?? '');
});

test('a deploy whose settings say so runs when its branch is pushed', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'pushed', { 'index.html': '<h1>One</h1>' });
  const id = await createDeploy(user, { name: 'Pushed', repo_name: 'pushed', deploy_type: 'STATIC_SITE' });
  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  const wanted = page.getByRole('checkbox', { name: /^Deploy on push/ });
  await expect(wanted).not.toBeChecked();
  await wanted.check();
  await page.getByRole('form', { name: 'Pushes', exact: true }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await page.reload();
  await expect(wanted).toBeChecked();
  await pushFiles(product, user, 'pushed', { 'index.html': '<h1>Two</h1>' }, 'Two');
  expect(await runsOf(user, id)).toEqual([expect.stringMatching(/^PUSH /)]);
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await expect(new DeployPage(page).latest).toContainText('is live for', { timeout: 30_000 });
});

import { violationsInThemes, expectFits } from '../support/accessibility.ts';
import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const vite = {
  'package.json': JSON.stringify({
    devDependencies: { vite: '8.0.0' },
    scripts: { build: 'vite build' },
    engines: { node: '>=22' },
  }),
};
const counter = {
  'mops.toml': '[canisters.tally]\nmain = "src/main.mo"',
  'src/main.mo': 'persistent actor {}',
};

test('[DEP-13] [DEP-15] [DEP-18] before a site is deployed, the form says what was read, what is created, and what is left of the balance', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', vite);
  const form = new NewDeployPages(page, product.url);
  const created = callsOf(page, 'POST', '/api/deploy');
  await form.open('STATIC_SITE');
  await form.connect('shop');
  // The name is there, and may be another.
  await expect(form.name).toHaveValue('shop');
  const facts = page.getByRole('region', { name: 'What was read' });
  const fact = (label: string) =>
    facts.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });
  for (const [label, value, mark] of [
    ['Type', 'Website', 'read from main'],
    ['Framework', 'Vite', 'read from main'],
    ['Root directory', 'The whole repository', 'default'],
    ['Build command', 'npm run build', 'read from main'],
    ['Output', 'dist', 'read from main'],
    ['Node.js', '>=22', 'read from main'],
  ] as const) {
    await expect(fact(label), label).toContainText(value);
    await expect(fact(label), label).toContainText(mark);
  }
  await form.fill({ buildCommand: 'make bread' });
  await expect(fact('Build command')).toContainText('make breadentered by you');

  const plan = page.getByRole('region', { name: 'What will be created' });
  await expect(plan.getByText(/^1 canister will be created, for 2 T of your 100 T\.$/)).toBeVisible();
  await expect(plan.getByText('Balance after').locator('xpath=..')).toContainText('98 T');
  const starting = plan.getByLabel('Starting cycles of website (T)');
  await starting.fill('1');
  await expect(plan.getByText('Between 2 T and 1000 T.')).toBeVisible();
  await form.submit.click();
  await expect(starting).toBeFocused();
  expect(created).toHaveLength(0);
  await starting.fill('120');
  await expect(plan.getByText(/Your balance is too low/)).toBeVisible();
  await expect(plan.getByText('Balance after').locator('xpath=..')).toContainText('20 T too little');
  await starting.fill('3.5');
  await expect(plan.getByText(/^1 canister will be created, for 3\.5 T of your 100 T\.$/)).toBeVisible();
  await expect(plan.getByText('Balance after').locator('xpath=..')).toContainText('96.5 T');
  await form.fill({ name: 'Corner shop' });
  await form.submit.click();
  await expect(page).toHaveURL(/\/ics\/deploy\/[0-9a-f-]{36}$/);
  expect(created.map((call) => call.postDataJSON())).toEqual([
    expect.objectContaining({
      name: 'Corner shop',
      starting_cycles: [{ canister: 'website', amount: 3.5 }],
    }),
  ]);
});

test('[NAV-10] [DEP-16] a repository of another type is offered as what it is, in one click each way, and what was entered stays', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'tally', counter);
  await pushFiles(product, user, 'shop', vite);
  const form = new NewDeployPages(page, product.url);
  await form.open('STATIC_SITE');
  await form.connect('tally');
  await expect(page.getByRole('status').filter({ hasText: 'This is a Motoko package' })).toBeVisible();
  await form.fill({ name: 'Counting' });
  await page.getByRole('button', { name: 'Change to Motoko canisters' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/new?deploy_type=MOTOKO`);
  await expect(form.name).toHaveValue('Counting');
  await expect(form.buildCommand).toHaveCount(0);
  const facts = page.getByRole('region', { name: 'What was read' });
  await expect(facts).toContainText('Motoko canistersread from main');
  await expect(facts).toContainText('mops.toml');
  await expect(page.getByRole('region', { name: 'What will be created' })).toContainText(
    '1 canister will be created',
  );
  // The change is no step: back leads to the choice.
  await page.goBack();
  await expect(page).toHaveURL(/\/ics\/deploy\?type=STATIC_SITE/);

  await form.open('MOTOKO');
  await form.connect('shop');
  await page.getByRole('button', { name: 'Change to Website' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/new?deploy_type=STATIC_SITE`);
  await expect(form.buildCommand).toHaveValue('npm run build');
  // Whoever knows better chooses.
  await page
    .getByRole('navigation', { name: 'What to create' })
    .getByRole('link', { name: 'Whole project' })
    .click();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/new?deploy_type=CUSTOM`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `You are creating deploy for ${user.name}/shop`,
  );
});

test('[DEP-11] [DEP-12] [DEP-20] a template becomes a repository when Deploy is pressed, once, and going back leaves none behind', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(180_000);
  const repositories = () => user.api.call<{ name: string }[]>('GET', '/deploy/repos');
  const form = new NewDeployPages(page, product.url);
  await form.useTemplate('STATIC_SITE', 'Static site');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `You are creating deploy for ${user.name}/static-site`,
  );
  await expect(form.name).toHaveValue('static-site');
  await expect(form.branch).toHaveValue('main');
  await expect(form.buildCommand).toHaveValue('node build.mjs');
  await expect(page.getByText(/^1 canister will be created, for 2 T of your 100 T\.$/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'What was read' })).toContainText('from the template');
  expect(await repositories()).toEqual([]);
  await page.goBack();
  await expect(form.tab('Template')).toHaveAttribute('aria-selected', 'true');
  expect(await repositories()).toEqual([]);

  await form.useTemplate('STATIC_SITE', 'Static site');
  await failCalls(page, /\/api\/deploy$/, 500);
  await form.submit.click();
  await expect(form.submit).toHaveText('Deploy');
  await expect.poll(async () => (await repositories()).length).toBe(1);
  await page.unrouteAll();
  await form.submit.click();
  await expect(page.getByText('static-site is live for')).toBeVisible({ timeout: 120_000 });
  expect((await repositories()).map(({ name }) => name)).toEqual(['static-site']);
  await expect(page.getByRole('link', { name: `${user.name}/static-site` })).toBeVisible();

  // The next one says what it will be called.
  await form.useTemplate('STATIC_SITE', 'Static site');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `You are creating deploy for ${user.name}/static-site-2`,
  );
});

test('nothing of the form jumps, everything is reachable by keyboard, and nothing is wrong for anybody', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  await pushFiles(product, user, 'shop', vite);
  await pushFiles(product, user, 'tally', counter);
  const form = new NewDeployPages(page, product.url);
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['shop', 'tally']) {
      await form.open('STATIC_SITE');
      await form.connect(name);
      await expect(page.getByRole('region', { name: 'What will be created' })).toBeVisible();
      await expectFits(page, `${name}, ${width} px wide`);
      expect.soft(await violationsInThemes(page), `${name}, ${width} px wide`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await form.open('STATIC_SITE');
  await form.connect('shop');
  const release = await holdCalls(page, '**/api/deploy/plan');
  await page.reload();
  const working = page.getByRole('status', { name: 'Working out what it costs' });
  await expect(working).toBeVisible();
  await release();
  await expect(working).toHaveCount(0);
  expect(await layoutShift(page)).toBeLessThanOrEqual(NOT_MOVED);

  await form.name.focus();
  for (const next of ['Branch', 'Build command', 'Publish directory']) {
    await page.keyboard.press('Tab');
    await expect(page.getByLabel(next)).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Starting cycles of website (T)')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(form.submit).toBeFocused();
});

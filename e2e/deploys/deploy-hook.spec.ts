import { createHmac } from 'node:crypto';
import { type GitServer, startGitServer } from '@cannery/dev-env';
import { expectFits, violationsInThemes } from '../support/accessibility.ts';
import { holdCalls } from '../support/calls.ts';
import { createDeploy, runsOf } from '../support/deploys.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { expect, test as base } from '../support/product.ts';

/** A product that may deploy from one host outside. */
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
        GIT_HOSTS: outside.host,
        EGRESS_PRIVATE_HOSTS: outside.host,
        GIT_CA_FILE: outside.caFile,
      }),
    { scope: 'worker' },
  ],
});

/** Calls a webhook as GitHub does. */
async function tell(address: string, secret: string, event: string, payload: object): Promise<number> {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${signature}`,
  };
  return (await fetch(address, { method: 'POST', headers, body })).status;
}

test('a deploy of another git host is told of pushes: the card gives address and secret, and shows what has come', async ({
  page,
  product,
  outside,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  await outside.commit('flour/mill', { 'index.html': '<h1>Flour</h1>' }, 'Grain to flour');
  const id = await createDeploy(user, {
    name: 'Mill',
    repo_name: 'mill',
    deploy_type: 'STATIC_SITE',
    url: `${outside.url}/flour/mill`,
  });
  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  const card = page.getByRole('region', { name: 'Deploy on push' });
  const state = card.getByRole('status');
  await expect(card).toContainText('A push to main starts a run');
  await expect(card.getByText('On', { exact: true })).toHaveCount(0);
  await card.getByRole('button', { name: 'Switch on' }).click();

  const address = (await card.getByText(/\/api\/hooks\/deploy\//).textContent()) ?? '';
  expect(address).toMatch(new RegExp(`^${product.url}/api/hooks/deploy/[0-9a-f-]{36}$`));
  expect(address).not.toContain(id);
  const secretBlock = card.getByText(/^[\w-]{43}$/);
  const first = (await secretBlock.textContent()) ?? '';
  await expect(card.getByText('it is shown only once')).toBeVisible();
  await expect(card.getByText('On', { exact: true })).toBeVisible();
  await expect(card.getByText('Only git hosts on this computer reach this address.')).toBeVisible();
  await expect(state).toHaveText('The git host has not called yet.');
  expect(await violationsInThemes(page)).toEqual([]);

  // Shown once: the page that comes again has the address alone.
  await page.reload();
  await expect(card.getByText(address)).toBeVisible();
  await expect(secretBlock).toHaveCount(0);
  await card.getByRole('button', { name: 'New secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a new secret?' });
  await dialog.getByRole('button', { name: 'Keep secret' }).click();
  expect(await tell(address, first, 'ping', {})).toBe(202);
  // What has come shows without a reload.
  await expect(state).toHaveText('The git host called just now; that was not a push to this branch.');

  await card.getByRole('button', { name: 'New secret' }).click();
  await dialog.getByRole('button', { name: 'Make new secret' }).click();
  await expect(dialog).toBeHidden();
  const second = (await secretBlock.textContent()) ?? '';
  expect(await tell(address, first, 'ping', {})).toBe(404);
  await expect(state).toHaveText('The git host has not called yet.');

  for (const [host, field] of [
    ['GitLab', 'Secret token'],
    ['Bitbucket', 'Repository push'],
    ['GitHub', 'Just the push event'],
  ] as const) {
    await card.getByRole('combobox', { name: 'Git host' }).click();
    await page.getByRole('option', { name: host }).click();
    await expect(card.getByText(field)).toBeVisible();
  }
  for (const [width, scheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), scheme);
    await expectFits(page, `settings at ${width} px`);
  }

  const push = { ref: 'refs/heads/main', after: 'ab'.repeat(20), pushed_at: 1 };
  // The run is over before the page hears of it; what it has created shows all the same.
  const release = await holdCalls(page, `**/api/deploy/${id}/instances`);
  expect(await tell(address, second, 'push', push)).toBe(200);
  await expect(state).toHaveText('The last push came just now, and a run has started.');
  await expect
    .poll(() => runsOf(user, id), { timeout: 60_000 })
    .toEqual([expect.stringMatching(/COMPLETED$/)]);
  await release();
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(page.getByText('Mill is live for')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId('live')).toContainText('Grain to flour');
  expect(await new DeployPage(page).publicUrl()).not.toBe('');

  await page.getByRole('tab', { name: 'Settings' }).click();
  await card.getByRole('button', { name: 'Switch off' }).click();
  const question = page.getByRole('dialog', { name: 'Switch the webhook off?' });
  await question.getByRole('button', { name: 'Switch webhook off' }).click();
  await expect(card.getByRole('button', { name: 'Switch on' })).toBeVisible();
  await expect(card.getByText(address)).toHaveCount(0);
  expect(await tell(address, second, 'push', { ...push, pushed_at: 2 })).toBe(404);
});

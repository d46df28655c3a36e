import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { createDeploy, runDeploy, runsOf } from '../support/deploys.ts';
import { colourOf } from '../support/look.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { Toasts } from '../pages/toasts.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const site = { 'public/index.html': '<h1>Fresh bread</h1>' };
/** 'Nov 21, 2026 10:34' */
const RUN_DATE = /[A-Z][a-z]{2} \d{2}, \d{4} \d{2}:\d{2}/;

test('[DEPD-01] [DEPD-03] [DEPD-07] [DEPD-08] the header of each type, and a deploy that never ran', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', site);
  for (const [deploy_type, kind, tag] of [
    ['STATIC_SITE', 'STATIC SITE', 'static site'],
    ['MOTOKO', 'SMART CONTRACT', 'motoko'],
    ['CUSTOM', 'SMART CONTRACT', 'custom'],
  ] as const) {
    const id = await createDeploy(user, {
      name: `The ${tag} that has quite a long name`,
      repo_name: 'bakery',
      deploy_type,
    });
    const header = page.getByRole('main');
    for (const part of ['/settings', '/runs/some-run', '']) {
      await page.goto(`${product.url}/ics/deploy/${id}${part}`);
      await expect(header.getByRole('heading', { level: 1 }), part).toHaveText(
        `The ${tag} that has quite a long name`,
      );
      await expect(header.getByText(kind, { exact: true }), part).toBeVisible();
      await expect(header.getByText(tag, { exact: true }), part).toBeVisible();
    }
    await expect(page.getByText('No canister assigned yet')).toBeVisible();
    await expect(page.getByText('Press Manual Deploy to start the first run')).toBeVisible();
    await expect(new DeployPage(page).manualDeploy).toBeEnabled();
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}/settings`);
    await expect(page.getByRole('heading', { name: 'General' })).toBeVisible();
  }
});

test('[DEPD-04] [DEPD-05] [DEPD-09] [DEPD-11] [DEPD-13] [DEPD-15] [DEPD-16] [DEPD-17] [DEPD-18] [STATE-09] [ERR-09] a manual deploy, watched from the press of the button', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const commit = (await pushFiles(product, user, 'bakery', site, 'Bake the first loaf')).slice(0, 7);
  const id = await createDeploy(user, {
    name: 'Bakery',
    repo_name: 'bakery',
    deploy_type: 'STATIC_SITE',
    build_command: 'seq 100; sleep 4; echo baked',
    publish_directory: 'public',
  });
  const toasts = new Toasts(page);
  await toasts.watch();
  await page.goto(`${product.url}/ics/deploy/${id}`);
  const deploy = new DeployPage(page);

  const polls: { readonly at: number; readonly status: string }[] = [];
  page.on('response', (response) => {
    if (!/\/instances\/[\w-]+$/.test(new URL(response.url()).pathname)) return;
    const at = response.request().timing().startTime;
    void response.json().then(({ status }: { status: string }) => polls.push({ at, status }));
  });
  const details = callsOf(page, 'GET', `/api/deploy/${id}`);

  await deploy.manualDeploy.click();
  await expect(page.getByText('Deployment Started!')).toBeVisible();
  await expect(deploy.manualDeploy).toBeDisabled();
  await expect(deploy.latest).toHaveAttribute('aria-expanded', 'true');
  await expect(deploy.latest).toContainText('Deploying');
  await expect(deploy.latest.getByLabel('Deploying')).toBeVisible();
  expect(await runsOf(user, id)).toEqual([expect.stringMatching(/^MANUAL (SCHEDULED|RUNNING)$/)]);

  // Lines show while the build still runs; the view stands at its bottom, half the window high and dark.
  await expect(deploy.log).toContainText('100');
  await expect(deploy.log).not.toContainText('baked');
  await expect(deploy.latest).toContainText(`Deploying ${commit}`);
  expect(Math.round((await deploy.log.boundingBox())?.height ?? 0)).toBe(450);
  const view = await deploy.log.evaluate((element) => ({
    toBottom: element.scrollHeight - element.scrollTop - element.clientHeight,
    scrolls: element.scrollHeight > element.clientHeight,
    background: getComputedStyle(element).backgroundColor.match(/\d+/g)?.map(Number) ?? [255],
  }));
  expect(view.scrolls).toBe(true);
  expect(view.toBottom).toBeLessThan(2);
  expect(Math.max(...view.background.slice(0, 3))).toBeLessThan(60);
  await expect(page.getByText('No canister assigned yet')).toBeVisible();
  const detailsBefore = details.length;

  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  await expect(deploy.latest).toHaveAttribute('aria-expanded', 'false');
  await expect(deploy.log).toBeHidden();
  await expect(deploy.latest).toContainText(`Bakery is live for ${commit}`);
  await expect(deploy.latest).toContainText('Bake the first loaf');
  await expect(deploy.latest).toContainText(RUN_DATE);
  expect(await colourOf(deploy.latest.getByRole('img', { name: 'Completed' }))).toBe('green');
  await expect(deploy.manualDeploy).toBeEnabled();
  await expect(page.getByText('No canister assigned yet')).toBeHidden();
  expect(details.length).toBeGreaterThan(detailsBefore);

  const statuses = polls.map(({ status }) => status).filter((status, at, all) => status !== all[at - 1]);
  expect(['SCHEDULED RUNNING COMPLETED', 'RUNNING COMPLETED']).toContain(statuses.join(' '));
  const gaps = polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(1_900);
  expect(Math.max(...gaps)).toBeLessThan(3_500);
  const pollsAtEnd = polls.length;

  const [canisterId = ''] = (await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`)).canisters;
  const url = await deploy.publicUrl();
  expect(url).toMatch(new RegExp(`^http://${canisterId}\\.localhost:\\d+/$`));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy URL' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);

  await toasts.expectStay('Copied', 2_000);
  await page.waitForTimeout(1_000);
  expect(polls).toHaveLength(pollsAtEnd);
  expect(await toasts.texts()).toEqual(['Deployment Started!', 'Deployment Successful!', 'Copied']);
});

test('[DEPD-08] [DEPD-10] [DEPD-19] [DEPD-20] the runs are listed; one that still runs is followed by whoever opens the page, and not after leaving it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const repository = {
    repo_name: 'bakery',
    publish_directory: 'public',
    deploy_type: 'STATIC_SITE',
  } as const;
  const first = (await pushFiles(product, user, 'bakery', site, 'Bake the first loaf')).slice(0, 7);
  const id = await createDeploy(user, { ...repository, name: 'Bakery', build_command: 'exit 1' });
  expect(await runDeploy(user, id)).toBe('FAILED');
  await user.api.call('PATCH', `/deploy/${id}`, {
    build_cmd: 'for n in 1 2 3 4 5 6 7 8; do echo "loaf $n"; sleep 1; done',
  });
  const second = (
    await pushFiles(product, user, 'bakery', { ...site, new: '' }, 'Bake the second loaf')
  ).slice(0, 7);
  await user.api.call('POST', `/deploy/${id}/trigger`);

  await page.goto(`${product.url}/ics/deploy/${id}`);
  const deploy = new DeployPage(page);
  await expect(deploy.log).toContainText('loaf 1');
  await expect(deploy.latest).toContainText(`Deploying ${second}`);
  await expect(deploy.manualDeploy).toBeDisabled();
  await expect(deploy.earlier).toHaveCount(1);
  await expect(deploy.earlier).toContainText(first);
  await expect(deploy.earlier).toContainText('Bake the first loaf');
  await expect(deploy.earlier).toContainText(RUN_DATE);
  const cross = deploy.earlier.getByRole('img', { name: 'Failed' });
  await expect(cross).toBeVisible();
  expect(await colourOf(cross)).toBe('red');

  // Away and back within the console: no call meanwhile, then the run is followed again.
  const instanceCalls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(`/api/deploy/${id}/instances`)) instanceCalls.push(request.url());
  });
  await page.getByRole('complementary').getByRole('link', { name: 'Canisters' }).click();
  await expect(page).toHaveURL(/\/ics\/canisters$/);
  // The address changes a moment before the page does, and a poll may fall in between.
  await expect(deploy.log).toBeHidden();
  const whenLeft = instanceCalls.length;
  await page.waitForTimeout(2_500);
  expect(instanceCalls).toHaveLength(whenLeft);
  await page.goBack();
  await expect(deploy.log).toContainText('loaf 7');
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  await expect(deploy.latest).toContainText(`Bakery is live for ${second}`);

  // The log of an earlier run opens on its row.
  await expect(deploy.log).toHaveCount(0);
  await deploy.earlier.getByRole('button', { expanded: false }).click();
  await expect(deploy.earlier.getByRole('log')).toContainText('The build command failed with exit code 1.');
  await deploy.earlier.getByRole('button', { expanded: true }).click();
  await expect(deploy.log).toHaveCount(0);

  // A failed run does not read as an outage.
  const stillLive = page.getByText('The last run failed; what was live before is still live');
  await expect(stillLive).toHaveCount(0);
  await user.api.call('PATCH', `/deploy/${id}`, { build_cmd: 'exit 1' });
  expect(await runDeploy(user, id)).toBe('FAILED');
  await page.reload();
  await expect(stillLive).toBeVisible();
  await expect(page.getByRole('main')).toContainText(`${second} Bake the second loaf`);
});

test('[DEPD-14] [ERR-09] a trigger that fails, or answers no id, adds no run', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', site);
  const id = await createDeploy(user, { name: 'Bakery', repo_name: 'bakery', deploy_type: 'STATIC_SITE' });
  for (const status of [500, 200]) {
    await page.unrouteAll();
    await failCalls(page, '**/trigger', status);
    await page.goto(`${product.url}/ics/deploy/${id}`);
    const deploy = new DeployPage(page);
    await deploy.manualDeploy.click();
    await expect(page.getByText('Failed! Could not trigger deploy')).toBeVisible();
    await expect(deploy.manualDeploy).toBeEnabled();
    await expect(deploy.latest).toHaveCount(0);
    await expect(page.getByText('Press Manual Deploy to start the first run')).toBeVisible();
  }
  // Where the service says why, the toast does.
  await failCalls(page, '**/trigger', 409, { error: 'Too many runs wait.' });
  await new DeployPage(page).manualDeploy.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Too many runs wait.' })).toBeVisible();
});

test('[DEPD-21] [DEPD-22] [DEPD-23] [DEPD-24] [VAL-25] [ERR-02] the settings: filled, discarded, trimmed, saved and refused', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', site);
  const saved = { build_command: 'make bread', publish_directory: 'public' };
  const repository = { name: 'Bakery', repo_name: 'bakery' };
  const id = await createDeploy(user, { ...repository, deploy_type: 'STATIC_SITE', ...saved });
  const updates = callsOf(page, 'PATCH', `/api/deploy/${id}`);
  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  const deploy = new DeployPage(page);
  const fields = async () =>
    Promise.all(
      [deploy.name, deploy.buildCommand, deploy.publishDirectory].map((field) => field.inputValue()),
    );
  await expect(deploy.name).toHaveValue('Bakery');
  expect(await fields()).toEqual(['Bakery', 'make bread', 'public']);
  await expect(deploy.update).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'General', exact: true })).toBeVisible();

  await deploy.name.fill('Mill');
  await deploy.buildCommand.fill('make flour');
  await deploy.publishDirectory.fill('../up');
  await deploy.update.click();
  await expect(page.getByText('Invalid publish directory')).toBeVisible();
  await deploy.discard.click();
  expect(await fields()).toEqual(['Bakery', 'make bread', 'public']);
  await expect(deploy.update).toBeDisabled();
  expect(updates).toHaveLength(0);

  const release = await holdCalls(page, `**/api/deploy/${id}`);
  await deploy.name.fill('  Bakery & Mill ');
  await deploy.buildCommand.fill(' make all  ');
  await deploy.publishDirectory.fill(' public ');
  await deploy.update.click();
  await expect.poll(() => updates.length).toBe(1);
  await expect(deploy.update).toBeDisabled();
  await release();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  expect(updates[0]?.postDataJSON()).toEqual({
    name: 'Bakery & Mill',
    build_cmd: 'make all',
    publish_dir: 'public',
  });
  await expect.poll(fields).toEqual(['Bakery & Mill', 'make all', 'public']);
  await expect(deploy.update).toBeDisabled();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bakery & Mill');

  // The service refuses a name beyond its limit with status 400 and a reason.
  await deploy.name.fill('x'.repeat(2_001));
  await deploy.update.click();
  await expect(page.getByRole('alert')).toContainText(
    'The name must be plain text of at most 2000 characters.',
  );
  await failCalls(page, `**/api/deploy/${id}`, 500, { error: 'the inside of the server' });
  await deploy.name.fill('Mill');
  await deploy.update.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Something went wrong' })).toBeVisible();
  await expect(page.getByText('the inside of the server')).toHaveCount(0);
  await expect(deploy.update).toBeEnabled();
  await page.unrouteAll();

  const plain = await createDeploy(user, { ...repository, deploy_type: 'STATIC_SITE' });
  await page.goto(`${product.url}/ics/deploy/${plain}/settings`);
  await expect(deploy.name).toHaveValue('Bakery');
  expect(await fields(), 'nothing is made up').toEqual(['Bakery', '', '']);
  for (const deploy_type of ['MOTOKO', 'CUSTOM'] as const) {
    const contract = await createDeploy(user, { ...repository, deploy_type });
    await page.goto(`${product.url}/ics/deploy/${contract}/settings`);
    await expect(deploy.name, deploy_type).toHaveValue('Bakery');
    await expect(deploy.buildCommand, deploy_type).toHaveCount(0);
    await expect(deploy.publishDirectory, deploy_type).toHaveCount(0);
  }
});

test('[DEPD-06] [DEPD-03] the canister of a smart contract with its id and its pages', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { name } = await user.api.call<{ name: string }>('POST', '/repository/templates/motoko-counter');
  const id = await createDeploy(user, { name: 'Counter', repo_name: name, deploy_type: 'MOTOKO' });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  const [canisterId = ''] = (await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`)).canisters;
  await page.goto(`${product.url}/ics/deploy/${id}`);
  const row = page.getByRole('list', { name: 'Canisters' }).getByRole('listitem');
  await expect(row).toContainText(canisterId);
  await expect(row.getByRole('link', { name: /\.localhost/ })).toHaveCount(0);

  const opened = context.waitForEvent('page');
  await row.getByRole('link', { name: 'Candid UI' }).click();
  const candid = await opened;
  await expect(candid).toHaveURL(new RegExp(`\\?id=${canisterId}$`));
  await expect(candid.getByRole('article', { name: 'inc' })).toBeVisible();
  await row.getByRole('link', { name: 'Canister details' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/canister/${canisterId}`);
});

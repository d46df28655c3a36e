import { createDeploy } from '../support/deploys.ts';
import { tableDate } from '../support/look.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

interface ListedDeploy {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly deployInstance: { readonly status: string; readonly duration: number | null } | null;
}

test('[CAN-24] [CAN-25] [CAN-26] [CAN-27] [CAN-28] [CAN-29] [CAN-32] [STATE-09] [CONST-02] the DApps table follows the latest run of each deploy', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'app', { 'index.html': '<h1>fresh</h1>' });
  const site = { repo_name: 'app', deploy_type: 'STATIC_SITE', publish_directory: '.' } as const;
  const idle = await createDeploy(user, { name: 'idle', repo_name: 'app', deploy_type: 'MOTOKO' });
  const broken = await createDeploy(user, { ...site, name: 'broken', build_command: 'exit 4' });
  const slow = await createDeploy(user, { ...site, name: 'slow', build_command: 'sleep 7' });
  for (const name of ['spare 1', 'spare 2', 'spare 3']) await createDeploy(user, { ...site, name });
  const canisters = new CanistersPage(page, product.url);
  const table = canisters.dapps;
  await canisters.open();
  await table.expectHeadings('ID', 'Name', 'Status', 'Type', 'Repo Name', 'Branch', 'Duration', 'Created At');
  await table.expectPaging(6);
  const spinner = (name: string) => table.row(name).locator('.animate-spin');
  await expect(table.cell('Status', table.row('idle'))).toHaveText('');
  await expect(spinner('idle')).toBeVisible();
  await expect(table.cell('Type', table.row('idle'))).toHaveText('motoko');
  await expect(table.cell('Type', table.row('slow'))).toHaveText('static site');
  await expect(table.cell('Repo Name', table.row('slow'))).toHaveText('app');
  await expect(table.cell('Branch', table.row('slow'))).toHaveText('main');
  await expect(table.cell('ID', table.row('slow')).locator(`[title="${slow}"]`)).toBeVisible();

  await user.api.call('POST', `/deploy/${slow}/trigger`, {});
  await expect(table.cell('Status', table.row('slow'))).toHaveText('creating DApp');
  await expect(spinner('slow')).toBeVisible();
  await expect(table.cell('Duration', table.row('slow'))).toHaveText('N/A');
  await user.api.call('POST', `/deploy/${broken}/trigger`, {});
  await expect(table.cell('Status', table.row('slow'))).toHaveText('deploy succeeded', { timeout: 30_000 });
  await expect(spinner('slow')).toHaveCount(0);
  await expect(table.cell('Status', table.row('broken'))).toHaveText('failed', { timeout: 30_000 });

  for (const deploy of await user.api.call<ListedDeploy[]>('GET', '/deploy')) {
    const row = table.row(deploy.name);
    const duration = deploy.deployInstance?.duration;
    await expect(table.cell('Duration', row)).toHaveText(duration == null ? 'N/A' : `${duration}s`);
    await expect(table.cell('Created At', row)).toHaveText(tableDate(deploy.created_at));
  }
  // A second run counts instead of the first.
  await user.api.call('PATCH', `/deploy/${broken}`, { name: 'broken', build_cmd: '', publish_dir: '.' });
  await user.api.call('POST', `/deploy/${broken}/trigger`, {});
  await expect(table.cell('Status', table.row('broken'))).toHaveText('deploy succeeded', { timeout: 30_000 });
  // One deploy with a run, whose id is another, and one without.
  for (const [name, id] of [
    ['slow', slow],
    ['idle', idle],
  ] as const) {
    await table.cell('Branch', table.row(name)).click();
    await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}`);
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    await page.goBack();
  }
});

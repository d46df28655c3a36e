import { expect, type Page } from '@playwright/test';
import { ExactService } from './exact-service.ts';
import { test, toast, wasm } from './exact-test.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { ProductTable } from '../pages/product-table.ts';
import { RegistriesPage } from '../pages/registries-page.ts';

function sidebar(page: Page) {
  return page.getByRole('region', { name: 'Account Details' });
}

/** The fields of each call's body, as the call table names them. */
const payloads: Readonly<Record<string, readonly string[]>> = {
  'POST /canister/create': ['name'],
  'POST /canister/start': ['canister_id'],
  'POST /canister/stop': ['canister_id'],
  'POST /canister/topup': ['amount', 'canister_id'],
  'POST /canister/delete': ['canister_id'],
  'POST /canister/install': ['canister_id', 'identifier', 'mode'],
  'POST /registry/add': ['identifier', 'name'],
  'POST /registry/update/{id}': ['identifier', 'name'],
  'POST /registry/delete/{id}': [],
  'POST /deploy/branches': ['is_public', 'owner', 'repo'],
  'POST /deploy': [
    'branch',
    'build_command',
    'deploy_type',
    'is_public',
    'name',
    'owner',
    'publish_directory',
    'repo_name',
  ],
  'POST /deploy/{id}/trigger': [],
  'PATCH /deploy/{id}': ['build_cmd', 'name', 'publish_dir'],
};

function expectPayloads(service: ExactService, ...wanted: readonly string[]): void {
  const sent = new Map<string, string[]>();
  for (const { call, body, headers } of service.seen) {
    expect(headers.authorization, call).toBe('Bearer a-bearer-token');
    if (call.startsWith('POST /document/upload'))
      expect(headers['content-type'], call).toMatch(/^multipart\/form-data; boundary=/);
    const name = call
      .replace(/^(PATCH \/deploy|POST \/registry\/(?:update|delete))\/.*/, '$1/{id}')
      .replace(/^POST \/deploy\/.*\/trigger$/, 'POST /deploy/{id}/trigger');
    // Calls of our own are not in the table; those that only read, and uploads, carry no JSON.
    if (!(name in payloads)) continue;
    if (body !== undefined) expect(headers['content-type'], name).toBe('application/json');
    const fields = Object.keys(body ?? {}).toSorted();
    expect(fields, name).toEqual(payloads[name]);
    sent.set(name, fields);
  }
  for (const name of wanted) expect(sent.has(name), `${name} was made`).toBe(true);
  for (const name of ['POST /canister/create', 'POST /canister/topup']) {
    const paid = service.seen.filter(({ call }) => call === name);
    for (const { headers } of paid) expect(headers['idempotency-key'], name).toMatch(/^[0-9a-f]{32}$/);
  }
}

test('[ACC-01] [ENT-16] [API-02] [API-04] [API-09] [API-10] [API-38] [API-39] [ERR-07] canisters, from creation to deletion, with answers of the specification only', async ({
  page,
  service,
}) => {
  const list = new CanistersPage(page, service.url);
  await list.open();
  await expect(page.getByText('Deploy your first Canister on Internet Computer')).toBeVisible();
  await expect(page.getByText("You haven't deployed anything yet.")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hi, Ada profile menu' })).toBeVisible();
  await expect(sidebar(page)).toContainText('90.00 T');

  await list.create('Shop');
  await expect(toast(page, 'Canister created!')).toBeVisible();
  await expect(list.table.cell('Canister Name')).toHaveText(['Shop']);
  await expect(list.table.cell('Cycles')).toHaveText(['2,000,000,000,000 ~ 2.00 T']);
  await expect(list.table.cell('Status')).toHaveText(['running']);
  await expect(sidebar(page)).toContainText('88.00 T');
  await list.openRow('Shop');

  const canister = new CanisterPage(page);
  await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible();
  await expect(canister.status).toHaveText('running');
  await expect(canister.moduleHash).toHaveText('N/A');
  await expect(canister.fact('Last updated at')).toContainText('05 Mar 2024');

  await canister.install(wasm);
  await expect(toast(page, 'Installed!')).toBeVisible();
  await expect(canister.installDialog).toBeHidden();
  await expect(canister.moduleHash).toContainText('0xaa11');
  await expect(canister.moduleHash).toContainText('0xbb22');
  // An upgrade has options, which the call table does not name.
  await canister.install(wasm);
  await expect(canister.installDialog).toBeHidden();
  const modes = service.seen.filter(({ call }) => call === 'POST /canister/install');
  expect(modes.map(({ body }) => body)).toMatchObject([{ mode: 'install' }, { mode: 'upgrade' }]);

  await canister.topUp('1.5');
  await expect(toast(page, 'Cycles Added')).toBeVisible();
  await expect(canister.topUpDialog).toBeHidden();
  await expect(canister.fact('Cycles')).toContainText('3.50 T');
  await expect(sidebar(page)).toContainText('86.50 T');

  service.instead.set('POST /canister/topup', { body: { error: 'The balance is too small.' } });
  await canister.topUp('2');
  await expect(toast(page, 'The balance is too small.')).toBeVisible();
  service.instead.set('POST /canister/topup', { status: 500, body: {} });
  await canister.topUp('2');
  await expect(toast(page, 'Something went wrong. Try again later')).toBeVisible();
  service.instead.clear();
  await page.keyboard.press('Escape');
  await expect(canister.fact('Cycles')).toContainText('3.50 T');

  await canister.action('Stop').click();
  await expect(canister.status).toHaveText('stopped');
  await canister.action('Run').click();
  await expect(canister.status).toHaveText('running');
  await canister.action('Stop').click();
  await expect(canister.status).toHaveText('stopped');
  const logs = new ProductTable(page, 'Logs');
  await expect(logs.rows).toHaveCount(5);
  await expect(logs.cell('Status').first()).toHaveText('stopped');
  await expect(logs.cell('Module Hash').first()).toContainText('0xaa11');

  await page.getByRole('button', { name: 'profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click();
  await expect(page).toHaveURL(`${service.url}/ics/account`);
  const history = new ProductTable(page, 'Transactions');
  await expect(history.cell('Transaction Name')).toHaveText(['CANISTER TOPUP', 'CANISTER CREATE']);
  await expect(history.cell('Amount')).toHaveText(['1.50 T', '2.00 T']);
  await expect(history.cell('Canister id')).toHaveText(['canister-1', 'canister-1']);
  await expect(page.getByRole('main')).toContainText('@ada');
  await expect(page.getByRole('main')).toContainText('London');
  await page.goto(`${service.url}/ics/dashboard`);
  await expect(page.getByRole('main')).toContainText('86.50 T');
  await expect(history.rows).toHaveCount(2);

  await list.open();
  await list.showCards();
  const drawer = await list.openCard('Shop');
  await expect(drawer.status).toHaveText('stopped');
  await list.drawer('Shop').getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Are you sure you want to delete this canister?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Canister deleted')).toBeVisible();
  await expect(list.cards).toHaveCount(0);
  expectPayloads(
    service,
    'POST /canister/create',
    'POST /canister/start',
    'POST /canister/stop',
    'POST /canister/topup',
    'POST /canister/install',
    'POST /canister/delete',
  );
});

test('[ENT-16] [API-04] [API-06] [API-38] [API-39] [DEP-20] a deploy, from the repository to its settings, with answers of the specification only', async ({
  page,
  service,
}) => {
  const deploy = new DeployPage(page);
  await page.goto(`${service.url}/ics/deploy/?type=STATIC_SITE`);
  await expect(page.getByRole('heading', { name: 'Create a new Static Website' })).toBeVisible();
  const row = page.getByRole('list', { name: 'Repositories' }).getByRole('listitem');
  await expect(row).toContainText('ada / site');
  await expect(row.getByRole('img', { name: 'private' })).toBeVisible();
  await row.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { name: 'You are creating deploy for ada/site' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Branch' })).toHaveValue('main');
  await page.getByLabel('Name').fill('My site');
  await page.getByLabel('Build command').fill('make');
  await page.getByLabel('Publish directory').fill('out');

  service.instead.set('POST /deploy', { status: 500, body: {} });
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(toast(page, 'Something went wrong')).toBeVisible();
  service.instead.clear();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL('**/ics/deploy/deploy-*');
  await expect(page.getByRole('heading', { name: 'My site' })).toBeVisible();
  await expect(page.getByText('ada/site')).toBeVisible();
  await expect(page.getByText('No canister assigned yet')).toBeVisible();
  await expect(deploy.latest).toContainText('My site is live for abcdef0');
  await expect(toast(page, 'Deployment Successful!')).toBeVisible();

  service.instead.set(`POST /deploy/${service.deploys[0]?.['id']}/trigger`, { body: {} });
  await deploy.manualDeploy.click();
  await expect(toast(page, 'Failed! Could not trigger deploy')).toBeVisible();
  service.instead.clear();
  await deploy.manualDeploy.click();
  await expect(toast(page, 'Deployment Started!')).toBeVisible();
  await expect(deploy.log).toContainText('Built in no time');
  await expect(deploy.manualDeploy).toBeEnabled();
  await expect(deploy.earlier).toHaveCount(1);

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Build command').fill('make all');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(toast(page, 'Updated successfully.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Update' })).toBeDisabled();
  await expect(page.getByLabel('Build command')).toHaveValue('make all');

  Object.assign(service.deploys[0] ?? {}, { canisters: ['site-canister'] });
  await page.reload();
  await expect(page.getByRole('list', { name: 'Canisters' })).toContainText('site-canister');

  const list = new CanistersPage(page, service.url);
  await list.open();
  await expect(list.dapps.cell('Name')).toHaveText(['My site']);
  await expect(list.dapps.cell('Status')).toHaveText(['deploy succeeded']);
  await expect(list.dapps.cell('Duration')).toHaveText(['N/A']);
  service.instead.set('POST /canister/create', { body: { data: { canister_id: 'elsewhere' } } });
  service.addCanister({ id: 'elsewhere', name: 'Named by data' });
  await list.create('Named by data');
  await expect(toast(page, 'Canister created!')).toBeVisible();
  await expect(list.table.cell('Canister Name')).toHaveText(['Named by data']);
  expectPayloads(
    service,
    'POST /deploy/branches',
    'POST /deploy',
    'POST /deploy/{id}/trigger',
    'PATCH /deploy/{id}',
  );
});

test('[ENT-16] [API-13] [API-14] [API-15] [API-16] [API-38] registries, with answers of the specification only', async ({
  page,
  service,
}) => {
  const registries = new RegistriesPage(page, service.url);
  await registries.open();
  await registries.addButton.click();
  await registries.addDialog.getByLabel('Name').fill('Flour');
  await registries.addDialog.locator('input[type="file"]').setInputFiles(wasm);
  await registries.addDialog.getByRole('button', { name: 'Add' }).click();
  await expect(registries.addDialog).toBeHidden();
  const row = registries.table.row('Flour');
  await expect(registries.table.cell('Identifier', row)).toContainText('wasm-1');
  await row.getByRole('button', { name: 'Flour', exact: true }).click();
  await expect(page.getByText('This service does not list the versions of a registry.')).toBeVisible();
  await page.keyboard.press('Escape');
  await registries.choose('Edit', 'Flour');
  await registries.editDialog.getByLabel('Name').fill('Rye');
  await page.keyboard.press('Enter');
  await expect(registries.table.row('Rye')).toHaveCount(1);
  await registries.search.fill('barley');
  await expect(page.getByText('No registry matches')).toBeVisible();
  await registries.search.fill('RY');
  await expect(registries.table.cell('Registry Name')).toHaveText(['Rye']);
  const pages = service.seen.filter(({ call }) => call === 'GET /registry/page');
  expect(pages, 'a call the service does not have is made once').toHaveLength(1);
  await registries.search.fill('');
  service.withheld = 'null';
  await registries.open();
  for (const heading of ['Registry Name', 'Identifier', 'Created At']) {
    await expect(registries.table.cell(heading), heading).toHaveText(['N/A']);
  }
  service.withheld = 'nothing';
  await registries.open();
  await registries.choose('Delete', 'Rye');
  await registries.deleteDialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText("You haven't added any registry yet.")).toBeVisible();
  expectPayloads(service, 'POST /registry/add', 'POST /registry/update/{id}', 'POST /registry/delete/{id}');
});

test('[API-01] the console calls the API at the address its page names, on another origin', async ({
  browser,
  page,
  service,
}) => {
  await using api = await ExactService.start();
  service.apiUrl = `${api.url}/api`;
  api.caller = service.url;
  api.addCanister({ name: 'From afar' });
  const list = new CanistersPage(page, service.url);
  await list.open();
  await expect(list.table.cell('Canister Name')).toHaveText(['From afar']);
  await list.create('Made afar');
  await expect(list.table.cell('Canister Name')).toHaveText(['Made afar', 'From afar']);
  expectPayloads(api, 'POST /canister/create');
  expect(service.seen).toEqual([]);
  // Another browser, in which nobody is signed in.
  await using context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(`${service.url}/login`);
  await expect(visitor.getByRole('link', { name: 'Sign in with Google' })).toHaveAttribute(
    'href',
    `${api.url}/api/auth/google/`,
  );
});

for (const withheld of ['absent', 'null'] as const) {
  test(`[ENT-16] [CAN-05] [CAN-06] [CAN-26] [CAND-06] [CAND-07] [TX-06] every screen lives with each optional value ${withheld}`, async ({
    page,
    service,
  }) => {
    const { id } = service.addCanister({ name: 'Shop' });
    const site = service.addDeploy({ name: 'Site' }, [{ status: 'FAILED' }, { status: 'COMPLETED' }]);
    service.transactions.push({ id: 't1', transaction_name: 'CYCLE_DEPOSIT' }, { transaction_name: 'X' });
    service.logs.push({ canister: id, entry: { id: 'l1', cycles: 5, module_hash: 'ab', status: 'running' } });
    service.withheld = withheld;

    const list = new CanistersPage(page, service.url);
    await list.open();
    for (const heading of ['Canister Name', 'Cycles', 'Status', 'Created At']) {
      await expect(list.table.cell(heading), heading).toHaveText(['N/A']);
    }
    for (const heading of ['Name', 'Type', 'Repo Name', 'Branch', 'Duration', 'Created At']) {
      await expect(list.dapps.cell(heading), heading).toHaveText(['N/A']);
    }
    await expect(page.getByRole('button', { name: 'Hi, N/A profile menu' })).toBeVisible();
    await expect(sidebar(page).locator('dd')).toHaveText(['N/A', 'N/A']);
    for (const heading of ['Canister Name', 'Cycles', 'Created At']) await list.table.sortBy(heading);
    await list.showCards();
    await list.openCard('N/A');
    await expect(list.drawer('N/A')).toContainText(String(id));

    await page.goto(`${service.url}/ics/canister/${id}`);
    const canister = new CanisterPage(page);
    await expect(page.getByRole('heading', { level: 1, name: 'N/A' })).toBeVisible();
    for (const fact of ['Cycles', 'Status', 'Module Hash', 'Last updated at']) {
      await expect(canister.fact(fact), fact).toHaveText('N/A');
    }
    const logs = new ProductTable(page, 'Logs');
    for (const heading of ['Cycles', 'Module Hash', 'Status', 'Update At']) {
      await expect(logs.cell(heading), heading).toHaveText(['N/A']);
    }
    // Parts that need calls of our own are left out.
    await expect(page.getByText('cannot be shown')).toHaveCount(0);
    await expect(page.getByText('The details cannot be shown')).toHaveCount(0);
    for (const tab of ['Canister logs', 'Settings', 'Snapshots', 'History']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
    }
    await canister.action('Run').click();
    await expect(canister.status).toHaveText('running');

    await page.goto(`${service.url}/ics/account`);
    const history = new ProductTable(page, 'Transactions');
    await expect(history.rows).toHaveCount(2);
    for (const heading of ['Transaction Name', 'Transaction Type', 'Amount', 'Canister id', 'Created At']) {
      await expect(history.cell(heading), heading).toHaveText(['N/A', 'N/A']);
    }
    await page.goto(`${service.url}/ics/dashboard`);
    await expect(history.rows).toHaveCount(2);

    await page.goto(`${service.url}/ics/deploy/${site['id']}`);
    await expect(page.getByRole('heading', { level: 1, name: 'N/A' })).toBeVisible();
    await expect(page.getByText('N/A/N/A')).toBeVisible();
    await expect(page.getByText('No canister assigned yet')).toBeVisible();
    await expect(new DeployPage(page).earlier).toHaveCount(1);
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('');

    const choice = new NewDeployPages(page, service.url);
    await choice.open('STATIC_SITE');
    await expect(choice.repositories).toContainText(['N/A / N/A']);
    await expect(choice.repositories.getByRole('button', { name: 'Connect' })).toBeDisabled();
    await expect(choice.repositories.getByRole('img', { name: 'private' })).toHaveCount(0);
    await choice.continueWith('https://github.com/ada/site');
    await expect(choice.branch).toContainText('master');
    await expect(choice.submit).toBeEnabled();
    expect(service.seen.filter(({ call }) => call === 'GET /user/profile').length).toBeGreaterThan(4);
  });
}

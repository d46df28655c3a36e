import type { Locator, Page, Request } from '@playwright/test';
import { createCanister, emptyModule, stop, wasmFile } from '../support/canisters-of.ts';
import { createSite } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';
import { addRegistry } from '../support/registries-of.ts';
import { uniqueModule } from '../support/dapps-of.ts';

const CAUSE = 'No connection: the service did not answer.';
const MAY = 'It may have happened: look before you try again. What you have entered stays.';
const ONCE = 'Try again when it is back: it is not done twice. What you have entered stays.';

/** Cuts the way back of calls that change something: the service carries them out, and its answer gets lost. */
async function loseAnswers(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    if (['GET', 'HEAD'].includes(route.request().method())) return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
}

/** Sends no call that changes something. */
async function loseCalls(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    ['GET', 'HEAD'].includes(route.request().method()) ? route.fallback() : route.abort('connectionrefused'),
  );
}

/** Presses the button of a dialog or form whose call gets no answer; it stays, says why, and offers to try again. */
async function expectKept(part: Locator, action: string | RegExp, what: string): Promise<Locator> {
  await part.getByRole('button', { name: action }).click();
  await expect(part.getByText(CAUSE)).toBeVisible();
  await expect(part.getByText(what)).toBeVisible();
  const again = part.getByRole('button', { name: 'Try again' });
  await expect(again).toBeEnabled();
  return again;
}

test('a canister whose creation got no answer is created once: what was typed stays, and a second try gets the first outcome', async ({
  page,
  product,
  user,
  signedIn: _s,
}) => {
  await page.goto(`${product.url}/ics/canisters`);
  await page.getByRole('button', { name: 'Create New Canister' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Canister' });
  await dialog.getByLabel('Name').fill('Only one');
  await loseAnswers(page);
  const again = await expectKept(dialog, 'Create', ONCE);
  // The specified toast comes as well.
  await expect(page.locator('[data-kind=error]').filter({ hasText: 'Something went wrong' })).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Only one');
  await page.unrouteAll();
  await again.click();
  await expect(page.getByText('Canister created!')).toBeVisible();
  await expect(dialog).toBeHidden();
  const list = await user.api.call<{ data: { name: string }[] } | { name: string }[]>(
    'GET',
    '/canister/list/',
  );
  const canisters = Array.isArray(list) ? list : list.data;
  expect(canisters.map(({ name }) => name)).toEqual(['Only one']);
});

test('the server is stopped under a form that is filled: nothing typed is lost, and it is sent when the server is back', async ({
  page,
  product,
  signedIn: _s,
}) => {
  await page.goto(`${product.url}/ics/registries`);
  await page.getByRole('button', { name: 'Add new registry' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add new registry' });
  await dialog.getByLabel('Name').fill('Kept');
  await dialog.locator('input[type=file]').setInputFiles(wasmFile(emptyModule));
  await product.kill();
  try {
    await expect(page.getByText(/^No connection\. /)).toBeVisible();
    await expectKept(dialog, 'Add', ONCE);
    await expect(dialog.getByLabel('Name')).toHaveValue('Kept');
    await expect(dialog.getByText('module.wasm')).toBeVisible();
    // Without a connection a second try changes nothing.
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog.getByText(CAUSE)).toBeVisible();
  } finally {
    await product.restart();
  }
  await expect(page.getByText(/^No connection\. /)).toBeHidden();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: 'Kept' })).toHaveCount(1);
});

test('dialogs that ask before something goes stay open without an answer, and close with one', async ({
  page,
  product,
  user,
  signedIn: _s,
}) => {
  const id = await createCanister(user.api, 'Deleted later');
  await stop(user.api, id);
  await addRegistry(user.api, 'Gone later', uniqueModule());

  await page.goto(`${product.url}/ics/canister/${id}`);
  await page.getByRole('button', { name: 'Add Cycles' }).first().click();
  const topUp = page.getByRole('dialog', { name: 'Add Cycles' });
  const amount = topUp.getByRole('spinbutton');
  await amount.fill('0.25');
  await loseAnswers(page);
  const feedAgain = await expectKept(topUp, 'Add Cycles', ONCE);
  await expect(amount).toHaveValue('0.25');
  await page.unrouteAll();
  const balance = async () =>
    (await user.api.call<{ cycles_exact: string }>('GET', `/canister/status/${id}?real_time=true`))
      .cycles_exact;
  const fed = BigInt(await balance());
  await feedAgain.click();
  await expect(page.getByText('Cycles Added')).toBeVisible();
  expect(Number(BigInt(await balance()) - fed), 'it is paid once').toBeLessThan(1e10);

  await page.getByRole('tab', { name: 'Snapshots' }).click();
  await page.getByRole('button', { name: 'Take snapshot' }).first().click();
  const snapshot = page.getByRole('dialog', { name: 'Take a snapshot' });
  await loseCalls(page);
  await expectKept(snapshot, 'Take snapshot', MAY);
  await snapshot.getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll();
  // A dialog that opens again knows nothing of the loss.
  await page.getByRole('button', { name: 'Take snapshot' }).first().click();
  await expect(snapshot.getByRole('button', { name: 'Take snapshot' })).toBeVisible();
  await expect(snapshot.getByText(CAUSE)).toBeHidden();
  await snapshot.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
  const removal = page.getByRole('dialog', { name: 'Are you sure you want to delete this canister?' });
  await loseCalls(page);
  const deleteAgain = await expectKept(removal, 'Delete', MAY);
  await page.unrouteAll();
  await deleteAgain.click();
  await expect(page.getByText('Canister deleted')).toBeVisible();

  await page.goto(`${product.url}/ics/registries`);
  await page.getByRole('button', { name: 'Actions of Gone later' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const registry = page.getByRole('dialog', { name: 'Are you sure you want to delete this registry?' });
  await loseCalls(page);
  const goAgain = await expectKept(registry, 'Delete', MAY);
  await page.unrouteAll();
  await goAgain.click();
  await expect(page.getByText('Registry deleted')).toBeVisible();
});

test('tokens, names and settings that got no answer stay as typed', async ({
  page,
  product,
  user,
  signedIn: _s,
}) => {
  const deploy = await createSite(product, user, 'kept-site');

  await page.goto(`${product.url}/ics/account`);
  const create = page
    .getByRole('region', { name: 'API tokens' })
    .getByRole('button', { name: 'Create token' });
  await create.click();
  const token = page.getByRole('dialog', { name: 'Create an API token' });
  await token.getByLabel('Token name').fill('For CI');
  await loseAnswers(page);
  await expectKept(token, 'Create token', MAY);
  await expect(token.getByLabel('Token name')).toHaveValue('For CI');
  await page.unrouteAll();
  // Whoever looks, as the dialog says, finds it: a second one would be one more.
  const tokens = await user.api.call<{ label: string }[] | { data: { label: string }[] }>(
    'GET',
    '/api-tokens',
  );
  expect(JSON.stringify(tokens).match(/For CI/g)).toHaveLength(1);

  await page.goto(`${product.url}/${user.name}/kept-site`);
  await page.getByRole('button', { name: 'Rename' }).click();
  const rename = page.getByRole('dialog');
  await rename.getByLabel('New name').fill('renamed-site');
  await loseCalls(page);
  const renameAgain = await expectKept(rename, 'Rename', MAY);
  await expect(rename.getByText('The repository was not renamed')).toBeHidden();
  await page.unrouteAll();
  await renameAgain.click();
  await expect(page).toHaveURL(new RegExp('/renamed-site'));

  await page.goto(`${product.url}/ics/deploy/${deploy}/settings`);
  const general = page.locator('form').filter({ has: page.getByRole('heading', { name: 'General' }) });
  await general.getByLabel('Name').fill('Renamed');
  await loseCalls(page);
  const saveAgain = await expectKept(general, 'Update', ONCE);
  await expect(general.getByLabel('Name')).toHaveValue('Renamed');
  await page.unrouteAll();
  await saveAgain.click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await expect(general.getByText(CAUSE)).toBeHidden();
});

test('a run whose start got no answer is started once', async ({ page, product, user, signedIn: _s }) => {
  const deploy = await createSite(product, user, 'started-once');
  await page.goto(`${product.url}/ics/deploy/${deploy}`);
  const manual = page.getByRole('button', { name: 'Manual Deploy' });
  await loseAnswers(page);
  const keys: (string | undefined)[] = [];
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/trigger')) keys.push(request.headers()['idempotency-key']);
  });
  await manual.click();
  await expect(page.getByText('Failed! Could not trigger deploy')).toBeVisible();
  await page.unrouteAll();
  await manual.click();
  await expect(page.getByText('Deployment Started!')).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  const { data } = await user.api.call<{ data: unknown[] }>('GET', `/deploy/${deploy}/instances`);
  expect(data).toHaveLength(1);
});

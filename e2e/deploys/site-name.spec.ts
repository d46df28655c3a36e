import { createSite, runDeploy } from '../support/deploys.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { expect, test } from '../support/product.ts';

test('[DEPD-04] [DEPD-05] a site has a name of its owner beside the address of its canister', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await createSite(product, user, 'bakery');
  const other = await createSite(product, user, 'other');
  await user.api.call('PATCH', `/deploy/${other}`, { site_name: `occupied-${user.name}` });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const { port } = new URL(product.networkUrl);
  // Words of five letters and a number of the digits 2 to 7 would look like the ID of a canister.
  const name = `bakery-${user.name}`.toLowerCase();
  const address = `http://${name}.localhost:${port}/`;

  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  const form = page.getByRole('form', { name: 'Address' });
  const field = form.getByLabel('Custom name');
  const save = form.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await field.fill('Bread & Co');
  await expect(form.getByRole('alert')).toContainText('A name has letters a to z');
  await expect(save).toBeDisabled();
  await field.fill('www');
  await expect(form.getByRole('alert')).toHaveText('This name is reserved.');
  await field.fill(`occupied-${user.name}`);
  await save.click();
  await expect(form.getByRole('alert')).toHaveText(
    `The name 'occupied-${user.name.toLowerCase()}' is taken.`,
  );
  await field.fill(` ${name.toUpperCase()} `);
  await expect(form.getByRole('alert')).toHaveCount(0);
  await expect(form.getByText(address)).toBeVisible();
  await save.click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await expect(field).toHaveValue(name);
  await form.getByRole('button', { name: 'Copy address' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await inspectOnPhone(page, 'address of a site');

  // Beside the address of the canister, which stays.
  const list = page.getByRole('list', { name: 'Canisters' });
  await expect(list.getByRole('link', { name: `http://${canisters[0]}.localhost:${port}/` })).toBeVisible();
  await expect(list.getByRole('link', { name: address })).toHaveAttribute('target', '_blank');
  // The gateway hears of it within seconds.
  const visit = await context.newPage();
  await expect(async () => expect((await visit.goto(address))?.status()).toBe(200)).toPass({
    timeout: 20_000,
  });
  await visit.close();
  const [site] = await Promise.all([
    context.waitForEvent('page'),
    list.getByRole('link', { name: address }).click(),
  ]);
  await expect(site.getByRole('heading', { name: 'bakery' })).toBeVisible();
  await site.close();

  await field.fill('');
  await save.click();
  await expect(list.getByRole('link', { name: address })).toHaveCount(0);
  await page.reload();
  await expect(field).toHaveValue('');
});

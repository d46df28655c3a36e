import { inspectOnPhone } from '../support/inspect.ts';
import { createDeploy, runDeploy } from '../support/deploys.ts';
import { pushFiles } from '../support/repositories.ts';
import { expect, test } from '../support/product.ts';

test('a repository is renamed with its DApp, which still runs, and deleted by its typed name', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'sitee', { 'index.html': '<h1>Bread</h1>' });
  const id = await createDeploy(user, { name: 'Bakery', repo_name: 'sitee', deploy_type: 'STATIC_SITE' });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await page.goto(`${product.url}/${user.name}/sitee`);

  await page.getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('list', { name: 'DApps that use the repository' })).toContainText('Bakery');
  const rename = dialog.getByRole('button', { name: 'Rename' });
  await expect(rename).toBeDisabled();
  await dialog.getByLabel('New name').fill('a b');
  await rename.click();
  await expect(dialog.getByText('The repository was not renamed')).toBeVisible();
  await expect(dialog).toContainText('A repository has a name of letters');
  await dialog.getByLabel('New name').fill('site');
  await dialog.getByLabel('New name').press('Enter');
  await expect(page.getByText('Repository renamed')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/${user.name}/site`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('site');
  expect(await runDeploy(user, id)).toBe('COMPLETED');

  await page.getByRole('button', { name: 'Delete repository' }).click();
  await expect(dialog).toContainText(
    'One DApp uses it. What is live stays; it needs another repository before the next run.',
  );
  const remove = dialog.getByRole('button', { name: 'Delete repository' });
  await dialog.getByLabel('Type site to delete the repository').fill('sit');
  await expect(remove).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Notifications' }).getByRole('status')).toHaveCount(0);
  await inspectOnPhone(page, 'deleting a repository');
  await dialog.getByLabel('Type site to delete the repository').fill('site');
  await remove.click();
  await expect(page.getByText('Repository deleted')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/${user.name}(?:\\?.*)?$`));
  await expect(page.getByText('There is no repository yet.')).toBeVisible();
  expect(await runDeploy(user, id)).toBe('FAILED');

  // Another repository of its name is another repository: the owner connects it.
  await page.goto(`${product.url}/ics/deploy/${id}`);
  const gone = page.getByText('The repository site was deleted');
  await expect(gone).toBeVisible();
  await expect(page.getByText('You have no repository here.')).toBeVisible();
  // Its pages have gone with it.
  for (const name of [`${user.name}/site`, 'main'])
    await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toHaveCount(0);
  await pushFiles(product, user, 'site', { 'index.html': '<h1>Cake</h1>' });
  const connect = page.getByRole('button', { name: 'Connect' });
  await expect(connect).toBeVisible();
  await inspectOnPhone(page, 'a deploy without its repository');
  await connect.click();
  await expect(gone).toHaveCount(0);
  expect(await runDeploy(user, id)).toBe('COMPLETED');
});

test('the page of the account and that of a repository show what is pushed, and what is live, while they are open', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const live = page.waitForResponse('**/api/live');
  await page.goto(`${product.url}/${user.name}`);
  await live;
  await expect(page.getByText('There is no repository yet.')).toBeVisible();
  // What git asks first when it pushes.
  const { secret } = await user.api.call<{ secret: string }>('POST', '/repository/tokens', { label: 'mill' });
  const asked = await fetch(`${product.url}/${user.name}/mill.git/info/refs?service=git-receive-pack`, {
    headers: { authorization: `Basic ${btoa(`${user.name}:${secret}`)}` },
  });
  expect(asked.status).toBe(200);
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'mill' })).toContainText('empty');
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Bread</h1>' });
  await expect(page.getByRole('listitem').filter({ hasText: 'bakery' })).toContainText('main');

  await page.getByRole('link', { name: 'mill' }).click();
  await expect(page.getByRole('heading', { name: 'Push the first commit' })).toBeVisible();
  await pushFiles(product, user, 'mill', { 'flour.txt': 'white' });
  await expect(page.getByRole('link', { name: 'flour.txt' })).toBeVisible();
  await expect(page.getByText('Push the first commit')).toHaveCount(0);

  await pushFiles(product, user, 'mill', { 'flour.txt': 'white', 'index.html': '<h1>Mill</h1>' });
  await expect(page.getByRole('link', { name: 'index.html' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Branches' }).getByRole('link', { name: 'main' }).click();
  await expect(page).toHaveURL(`${product.url}/${user.name}/mill/tree/main`);
  await pushFiles(product, user, 'mill', { 'flour.txt': 'white', 'index.html': '', 'rye.txt': 'dark' });
  await expect(page.getByRole('link', { name: 'rye.txt' })).toBeVisible();
  const id = await createDeploy(user, { name: 'Mill', repo_name: 'mill', deploy_type: 'STATIC_SITE' });
  await expect(page.getByRole('link', { name: 'Mill', exact: true })).toBeVisible();
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await expect(page.getByRole('link', { name: 'run 1' })).toBeVisible();

  // It is deleted elsewhere.
  await user.api.call('DELETE', `/repository/content/${user.name}/mill`);
  await expect(page.getByText('This repository cannot be shown.')).toBeVisible();
  await expect(page.getByText('rye.txt')).toHaveCount(0);
});

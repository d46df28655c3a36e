import { inspectOnPhone } from '../support/inspect.ts';
import { createDeploy, runDeploy } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';
import { pushBranch, pushFiles, pushTag } from '../support/repositories.ts';

test('watch paths and tags of a deploy are set, and a run shows its tag and who has written its commit', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', { 'index.html': '<h1>Bread</h1>' }, 'Bake bread');
  const id = await createDeploy(user, { name: 'Shop', repo_name: 'shop', deploy_type: 'STATIC_SITE' });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await expect(page.getByTitle('Author: Ada').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();

  const form = page.getByRole('form', { name: 'Which pushes deploy' });
  const save = form.getByRole('button', { name: 'Save' });
  const paths = form.getByLabel('Deploy only when these paths change');
  await expect(save).toBeDisabled();
  await paths.fill('web\n[a');
  await save.click();
  await expect(
    form.getByText(/The watch paths cannot be read: the class of characters in '\[a' is not closed/),
  ).toBeVisible();
  await paths.fill('a\n'.repeat(51));
  await expect(form.getByRole('alert')).toHaveText('At most 50 lines.');
  await expect(save).toBeDisabled();
  await paths.fill('web\n\n!web/**/*.md\n');
  await form.getByLabel('Deploy on tags').fill('v*');
  await save.click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await expect(save).toBeDisabled();
  await inspectOnPhone(page, 'which pushes deploy');

  await page.reload();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(paths).toHaveValue('web\n!web/**/*.md');
  await expect(form.getByLabel('Deploy on tags')).toHaveValue('v*');

  await pushTag(product, user, 'shop', 'v1.0');
  await page.reload();
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(page.getByText('v1.0', { exact: true })).toBeVisible();
});

test('another branch of a repository becomes its default one', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', { 'index.html': '<h1>Bread</h1>' });
  await page.goto(`${product.url}/${user.name}/shop`);
  await expect(page.getByRole('heading', { name: 'Files' })).toBeVisible();
  await expect(page.getByLabel('Default branch')).toHaveCount(0);
  await pushBranch(product, user, 'shop', 'next');
  await page.reload();
  await page.getByLabel('Default branch').selectOption('next');
  await expect(page.getByText('Default branch saved')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Branches' }).getByRole('link')).toHaveText([
    'next',
    'main',
  ]);
  await inspectOnPhone(page, 'the default branch of a repository');
  await page.reload();
  await expect(page.getByLabel('Default branch')).toHaveValue('next');
  await expect(page.getByRole('link', { name: 'next', exact: true })).toHaveAttribute('aria-current', 'page');
});

test('files of a commit are browsed, and what hides in them is shown', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const before = await pushFiles(product, user, 'shop', { 'src/a b/main.ts': 'const one = 1;\n' }, 'First');
  await pushFiles(
    product,
    user,
    'shop',
    { 'src/a b/main.ts': 'const two = 2;\nif (a\u202e) {}\n', 'src/50%#.txt': 'half', 'logo.bin': '\0' },
    'Second',
  );
  await page.goto(`${product.url}/${user.name}/shop`);
  await page.getByRole('link', { name: 'src/a b/main.ts' }).click();
  const text = page.getByRole('region', { name: 'Text of the file' });
  await expect(text).toContainText('const two = 2;');
  await expect(text).toContainText('if (a⟪U+202E⟫) {}');
  await inspectOnPhone(page, 'a file of a repository');
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'src' }).click();
  await page.getByRole('link', { name: '50%#.txt' }).click();
  await expect(text).toContainText('half');
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'shop' }).click();
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('link', { name: 'logo.bin' }).click();
  await expect(page.getByText('This is no text.')).toBeVisible();
  await page.getByRole('link', { name: 'Repository', exact: true }).click();
  await page.getByRole('link', { name: /^Files of the commit/ }).click();
  await expect(page.getByRole('list', { name: 'Files' })).toContainText('logo.bin');
  // An earlier commit has its own files.
  await page.goto(`${product.url}/${user.name}/shop/code/${before}/`);
  await page.getByRole('link', { name: 'src' }).click();
  await page.getByRole('link', { name: 'a b' }).click();
  await page.getByRole('link', { name: 'main.ts' }).click();
  await expect(text).toContainText('const one = 1;');
  await page.goto(`${product.url}/${user.name}/shop/code/${before}/no/such`);
  await expect(page.getByText('const one')).toHaveCount(0);
});

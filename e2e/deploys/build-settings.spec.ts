import { createDeploy, runDeploy } from '../support/deploys.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const TOKEN = 'tok-8d1f0a52-b1f3';
const build = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('out');
writeFileSync('out/index.html', \`<h1>\${process.env.VITE_TITLE}</h1>\${process.env.TOKEN?.length}\`);
console.log('token', process.env.TOKEN);
`;
const files = {
  'README.md': 'Two projects',
  'apps/web/package.json': JSON.stringify({ scripts: { build: 'node build.mjs' } }),
  'apps/web/build.mjs': build,
};

test('variables, a secret and the root directory of a deploy are saved and reach its build', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', files);
  const id = await createDeploy(user, {
    name: 'Shop',
    repo_name: 'shop',
    deploy_type: 'STATIC_SITE',
    build_command: 'npm run build',
    publish_directory: 'out',
  });
  await page.goto(`${product.url}/ics/deploy/${id}`);
  const settings = page.getByRole('tab', { name: 'Settings' });
  await settings.click();
  const form = page.getByRole('form', { name: 'Build settings' });
  const save = form.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await form.getByLabel('Root directory').fill('../web');
  await expect(form.getByRole('alert')).toHaveText('A folder of the repository, such as apps/web.');
  await expect(save).toBeDisabled();
  await form.getByLabel('Root directory').fill('apps/web');

  await form.getByRole('button', { name: 'Add variable' }).click();
  await form.getByLabel('Variable', { exact: true }).focus();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, `# of the shop\nVITE_TITLE=Peaches\nTOKEN=${TOKEN}\n`);
  await expect(form.getByLabel('Variable', { exact: true })).toHaveCount(2);
  await expect(form.getByLabel('Secret').nth(0)).not.toBeChecked();
  await expect(form.getByLabel('Secret').nth(1)).toBeChecked();
  await form.getByLabel('Value', { exact: true }).nth(1).fill('short');
  await expect(form.getByRole('alert')).toHaveText('A secret has at least 8 characters.');
  await form.getByLabel('Value', { exact: true }).nth(1).fill(TOKEN);
  await save.click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await expect(save).toBeDisabled();

  // The service never tells a secret again; what is not typed again stays.
  await page.reload();
  await settings.click();
  const kept = form.getByPlaceholder('kept; type to replace it');
  await expect(kept).toHaveValue('');
  expect(await page.content()).not.toContain(TOKEN);
  await form.getByLabel('Value', { exact: true }).nth(1).fill('Plums');
  await save.click();
  // The button is disabled while it saves, too.
  await expect(page.getByText('Updated successfully.')).toBeVisible();

  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await page.reload();
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(page.getByRole('log')).toContainText('token [hidden]');
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const site = await fetch(`${product.networkUrl}/?canisterId=${canisters[0]}`);
  expect(await site.text()).toBe(`<h1>Plums</h1>${TOKEN.length}`);
});

test('[DEP-16] a folder of a repository is chosen on the create page, and recognised there', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'mono', {
    ...files,
    'apps/web/package.json': JSON.stringify({
      scripts: { build: 'vite build' },
      devDependencies: { vite: '^8.0.0' },
    }),
  });
  const pages = new NewDeployPages(page, product.url);
  await pages.open('STATIC_SITE');
  await pages.connect('mono');
  await expect(pages.buildCommand).toHaveValue('');
  await page.getByText('More settings').click();
  await page.getByLabel('Root directory').fill('apps/web');
  await expect(pages.buildCommand).toHaveValue(/vite build|npm run build/);
  await pages.fill({ name: 'Web' });
  const created = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/deploy'),
  );
  await pages.deploy();
  expect((await created).postDataJSON()).toMatchObject({ root_directory: 'apps/web', name: 'Web' });
  await page.waitForURL(/\/ics\/deploy\/[\w-]{36}$/);
});

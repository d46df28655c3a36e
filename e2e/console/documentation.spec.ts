import type { Page } from '@playwright/test';
import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

const components = ['typography', 'header', 'sidebar', 'buttons'] as const;

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });
const pages = (page: Page) => page.getByRole('navigation', { name: 'Documentation' });

test('[NAV-02] [NAV-03] [DEMO-11] a visitor reaches every page of the documentation from every other', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/documentation`);
  await expect(page).toHaveURL(`${product.url}/documentation/getting-started/quick-start`);
  await expect(title(page)).toHaveText('Quick start');
  for (const name of [...components, 'quick start', 'your first canister']) {
    await pages(page)
      .getByRole('link', { name: new RegExp(`^${name}$`, 'i') })
      .click();
    await expect(title(page)).toHaveText(new RegExp(`^${name}$`, 'i'));
    await expect(pages(page).locator('[aria-current="page"]')).toHaveText(new RegExp(`^${name}$`, 'i'));
  }
  await page.getByRole('navigation', { name: 'Other pages' }).getByRole('link', { name: /^Next/ }).click();
  await expect(title(page)).toHaveText('Your first site');
  await page
    .getByRole('main')
    .getByRole('link', { name: 'What a site can say about its files' })
    .last()
    .click();
  await expect(page).toHaveURL(`${product.url}/documentation/getting-started/static-sites`);
  for (const unknown of [
    'getting-started/nothing',
    'components/nothing',
    'nothing/typography',
    'components/toString',
  ]) {
    await page.goto(`${product.url}/documentation/${unknown}`);
    await expect(page.getByText("the page you're looking for no longer exists"), unknown).toBeVisible();
  }
});

test('[NAV-03] the pages about parts of the console show the parts at work, and the code that draws them', async ({
  page,
  product,
}) => {
  const open = (name: string) => page.goto(`${product.url}/documentation/components/${name}`);
  await open('buttons');
  const busy = page.getByRole('button', { name: 'Take snapshot' });
  await busy.click();
  await expect(page.getByRole('button', { name: 'Working Take snapshot' })).toBeDisabled();
  await expect(page.getByRole('group', { name: 'Code of looks' })).toContainText(
    '<Button variant="danger">Delete</Button>',
  );
  await open('header');
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('menuitemradio', { name: 'dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await open('sidebar');
  const group = page.getByRole('main').getByRole('button', { name: 'Create DApp' }).first();
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await open('typography');
  await expect(page.getByText('Title of a page', { exact: true })).toHaveCSS('font-size', '28px');
  for (const code of await page.getByRole('group', { name: /^Code of/ }).all()) {
    await expect(code).toContainText('export function Type');
  }
});

test('[AUTH-07] [AUTH-14] signed in, the documentation and the samples stand in the shell, from which Sign Out leads to /login', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  for (const [address, heading] of [
    ['/documentation/getting-started/quick-start', 'Quick start'],
    ['/documentation/components/header', 'Header'],
    ['/app', 'Sample dashboard'],
    ['/app/users', 'Users'],
  ] as const) {
    await page.goto(product.url + address);
    await expect(page.getByRole('navigation', { name: 'Main' }), address).toBeVisible();
    await expect(title(page), address).toHaveText(heading);
    await expect(page).toHaveURL(product.url + address);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toHaveCount(0);
  }
  await page.getByRole('button', { name: user.name }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  await page.goto(`${product.url}/documentation/getting-started/quick-start`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('the search finds a heading of any chapter, by keyboard alone, and takes no pattern', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/documentation/components/buttons`);
  const field = page.getByRole('searchbox', { name: 'Search the guide' });
  const found = page.getByRole('list', { name: 'Found' }).getByRole('listitem');
  await field.focus();
  await page.keyboard.type('go back snapshot');
  await expect(found.first()).toContainText('Upgrade without losing data');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/upgrade-without-losing-data#go-back-to-it$/);
  await expect(page.getByRole('heading', { name: 'Go back to it' })).toBeInViewport();
  await expect(found).toHaveCount(0);
  await field.fill('(a+)+$');
  await expect(page.getByText('No chapter has these words.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('No chapter has these words.')).toHaveCount(0);
});

test('headings are listed, marked while they are read, and have addresses; code is copied as it is', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${product.url}/documentation/getting-started/backup#go-back-to-a-copy`);
  const headings = page.getByRole('navigation', { name: 'On this page' });
  await expect(page.getByRole('heading', { name: 'Go back to a copy' })).toBeInViewport();
  await headings.getByRole('link', { name: 'What is elsewhere' }).click();
  await expect(page).toHaveURL(/#what-is-elsewhere$/);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(headings.locator('[aria-current]')).toHaveText('Make a copy');
  await page.getByRole('button', { name: 'Copy commands' }).first().click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('tar -czSf cannery-backup.tar.gz .cannery');
});

test('no other page loads a byte of the documentation, and the documentation loads one chapter at a time, read beforehand', async ({
  page,
  product,
  user,
}) => {
  const texts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      void response.text().then(
        (text) => texts.push(text),
        () => '',
      );
  });
  const loaded = async (word: string) => {
    await untilQuiet(page);
    return texts.filter((text) => text.includes(word)).length;
  };
  const ofTheDocumentation = ['Search the guide', 'cannery-backup.tar.gz', 'createdb cannery'];
  await page.goto(`${product.url}/login`);
  await expect(page.getByText('Sign in with Google')).toBeVisible();
  for (const word of ofTheDocumentation) expect(await loaded(word), word).toBe(0);
  await page.evaluate((token) => localStorage.setItem('token', token), user.api.token);
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByText('Deploy your first Canister')).toBeVisible();
  for (const word of ofTheDocumentation) expect(await loaded(word), word).toBe(0);
  await page.goto(`${product.url}/documentation/getting-started/backup`);
  await expect(title(page)).toHaveText('Backup');
  expect(await loaded('cannery-backup.tar.gz')).toBe(1);
  expect(await loaded('createdb cannery')).toBe(0);
  // The library that reads Markdown tells its address when it fails.
  expect(await loaded('github.com/markedjs/marked')).toBe(0);
});

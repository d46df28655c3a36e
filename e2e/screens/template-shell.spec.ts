import type { Page } from '@playwright/test';
import { holdCalls } from '../support/calls.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

const samplePages = ['/app', '/app/users', '/app/users/edit/1', '/ics/profile', '/ics/profile_temp'];

/** What the page asks the service for, as method and path, until it is quiet. */
async function callsAt(page: Page, address: string): Promise<string[]> {
  const calls = new Set<string>();
  const keep = (request: { url(): string; method(): string }): void => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.add(`${request.method()} ${pathname}`);
  };
  page.on('request', keep);
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await untilQuiet(page);
  page.off('request', keep);
  return [...calls].toSorted();
}

test('[DEMO-01] [NAV-14] a visitor sees the sample dashboard, and the service hears nothing of it', async ({
  page,
  product,
}) => {
  for (const address of ['/app', '/app/users', '/app/users/edit/1']) {
    expect(await callsAt(page, product.url + address), address).toEqual([]);
  }
  await expect(page.getByRole('navigation', { name: 'Samples' }).getByRole('link')).toHaveText([
    'Dashboard',
    'Users',
    'Documentation',
  ]);
});

test('[DEMO-01] [NAV-08] the sample pages ask for no more than a page without content, and are the same again', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const ofShell = await callsAt(page, `${product.url}/ics/pipelines/create`);
  expect(ofShell).toContain('GET /api/user/profile');
  for (const address of samplePages) {
    expect(await callsAt(page, product.url + address), address).toEqual(ofShell);
    const text = await page.getByRole('main').innerText();
    await page.reload();
    await expect.poll(() => page.getByRole('main').innerText(), { message: address }).toBe(text);
  }
});

test("[NAV-14] 'Live Preview' in the top bar opens the sample dashboard", async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  await page.getByRole('banner').getByRole('link', { name: 'Live Preview' }).click();
  await expect(page).toHaveURL(`${product.url}/app`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sample dashboard' })).toBeVisible();
});

test("[NAV-14] 'Live Preview' above the documentation opens the sample dashboard for a visitor", async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/documentation`);
  await page.getByRole('banner').getByRole('link', { name: 'Live Preview' }).click();
  await expect(page).toHaveURL(`${product.url}/app`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sample dashboard' })).toBeVisible();
});

test('[CONST-09] cards, pages and the chart come in within 1000 ms, and stand still where motion is reduced', async ({
  page,
  product,
}) => {
  const entrances = () =>
    page.locator('.animate-entrance, .animate-arrival').evaluateAll((parts) =>
      parts.map((part) => {
        const { animationName, animationDuration } = getComputedStyle(part);
        return animationName === 'none' ? 'none' : animationDuration;
      }),
    );
  for (const [motion, look] of [
    ['no-preference', '1s'],
    ['reduce', 'none'],
  ] as const) {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto(`${product.url}/app`);
    await expect(page.getByRole('region', { name: 'Gallery' })).toBeVisible();
    await expect(page.getByRole('img', { name: /^New 24/ })).toHaveClass(/animate-entrance/);
    expect(new Set(await entrances()), motion).toEqual(new Set([look]));
    // A page of the product, which has another style sheet.
    await page.goto(`${product.url}/login`);
    await expect(page.getByText('Sign in with Google')).toBeVisible();
    expect(await entrances(), motion).toEqual([look]);
  }
});

test('[DEMO-02] [NAV-08] the profile card shows a person with a PRO chip, tags and social links', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/profile`);
  const card = page.getByRole('region', { name: 'Profile card' });
  await expect(card.getByRole('img', { name: 'Portrait of Mira Kovač' })).toBeVisible();
  await expect(card.getByRole('heading', { name: 'Mira Kovač' })).toBeVisible();
  await expect(card.getByText('@mira.preserves')).toBeVisible();
  await expect(card.getByText('Ljubljana, Slovenia')).toBeVisible();
  await expect(card.getByText('PRO', { exact: true })).toBeVisible();
  await expect(card.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveText([
    'Preserves',
    'Labels',
    'Orchards',
    'Small batches',
    'Honey',
  ]);
  const links = card.getByRole('list', { name: 'Social links' }).getByRole('link');
  await expect(links).toHaveText(['GitHub', 'Mastodon', 'LinkedIn']);
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('href', /^https:\/\//);
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await inspectOnPhone(page, 'profile');
});

test('[DEMO-03] the folders are under Work, Private and Social, each with their count', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/app`);
  const card = page.getByRole('region', { name: 'Folders' });
  const tabs = card.getByRole('tab');
  await expect(tabs).toHaveText([/^Work\s*6/, /^Private\s*3/, /^Social\s*4/]);
  await tabs.first().focus();
  for (const [place, name, count] of [
    [0, 'Work', 6],
    [1, 'Private', 3],
    [2, 'Social', 4],
  ] as const) {
    if (place > 0) {
      await page.keyboard.press('ArrowRight');
      await expect(tabs.nth(place)).toBeFocused();
      await page.keyboard.press('Enter');
    }
    await expect(tabs.nth(place)).toHaveAttribute('aria-selected', 'true');
    const folders = card.getByRole('list', { name: `Folders of ${name}` }).getByRole('listitem');
    await expect(folders).toHaveCount(count);
    await expect(folders.first()).toContainText(/\d+ files/);
  }
});

test('[DEMO-04] the ring has a slice for New, In Progress, Completed and Cancel, as large as its number', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/app`);
  const card = page.getByRole('region', { name: 'Jobs by status' });
  await expect(card.getByRole('list', { name: 'Statuses' }).getByRole('listitem')).toHaveText([
    /New\s*24\s*18%/,
    /In Progress\s*38\s*29%/,
    /Completed\s*61\s*46%/,
    /Cancel\s*9\s*7%/,
  ]);
  const chart = card.getByRole('img', { name: 'New 24, In Progress 38, Completed 61, Cancel 9' });
  await expect(chart.locator('path')).toHaveCount(4);
  const lengths = await chart
    .locator('path')
    .evaluateAll((paths) => paths.map((path) => (path as SVGPathElement).getTotalLength()));
  const [fresh = 0, progress = 0, completed = 0, cancel = 0] = lengths;
  expect(completed).toBeGreaterThan(progress);
  expect(progress).toBeGreaterThan(fresh);
  expect(fresh).toBeGreaterThan(cancel);
  const fills = await chart
    .locator('path')
    .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
  expect(new Set(fills).size).toBe(4);
});

test('[DEMO-05] news and todo items stand on the dashboard; items can be ticked', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/app`);
  const news = page.getByRole('region', { name: 'News' });
  await expect(news.getByRole('heading', { name: 'The peach harvest is in' })).toBeVisible();
  await expect(news).toContainText('Eleven hundred kilos');
  const items = page.getByRole('list', { name: 'Todo items' }).getByRole('checkbox');
  await expect(items).toHaveCount(5);
  const item = page.getByRole('checkbox', { name: 'Reply to the shop in Maribor' });
  await item.press('Space');
  await expect(item).toBeChecked();
  await page.reload();
  await expect(item).not.toBeChecked();
});

test('[DEMO-06] [NAV-08] the template profile shows files, media, projects and views', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/profile_temp`);
  const card = (name: string) => page.getByRole('region', { name });
  await expect(card('Files').getByRole('listitem')).toHaveCount(4);
  await expect(card('Files')).toContainText('Harvest plan.pdf');
  for (const [kind, count] of [
    ['Photos', '128'],
    ['Videos', '24'],
    ['Recordings', '9'],
    ['Documents', '67'],
  ] as const) {
    await expect(card('Media').locator('div', { hasText: kind }).getByText(count)).toBeVisible();
  }
  const done = { 'Summer fruit': 72, 'New labels': 66, 'Shop in the old town': 15 };
  for (const [name, percent] of Object.entries(done)) {
    const project = card('Projects').getByRole('listitem').filter({ hasText: name });
    await expect(project.getByRole('progressbar', { name })).toHaveAttribute('aria-valuenow', `${percent}`);
    await expect(project.getByText(`${percent}%`, { exact: true })).toBeVisible();
  }
  await expect(card('Projects').getByRole('listitem')).toHaveCount(3);
  await expect(card('Views')).toContainText('3,482');
  await expect(card('Views').getByRole('listitem')).toHaveCount(7);
  await inspectOnPhone(page, 'template profile');
});

test('[DEMO-07] tasks stand under Today, This week and This month', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/profile_temp`);
  const card = page.getByRole('region', { name: 'Tasks' });
  await expect(card.getByRole('tab')).toHaveText(['Today', 'This week', 'This month']);
  await expect(card.getByRole('list', { name: 'Today' }), 'open from the start').toBeVisible();
  for (const [period, first, count] of [
    ['Today', 'Sterilise forty jars', 3],
    ['This week', 'Order lids, 82 mm', 2],
    ['This month', 'Count the cellar', 4],
  ] as const) {
    await card.getByRole('tab', { name: period }).click();
    const tasks = card.getByRole('list', { name: period }).getByRole('listitem');
    await expect(tasks).toHaveCount(count);
    await expect(tasks.first()).toHaveText(first);
  }
});

test('[DEMO-08] the events of the calendar carry title, info, color, link and date; arrow keys reach them', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/profile_temp`);
  const card = page.getByRole('region', { name: 'Calendar' });
  await expect(card.getByText('May 2026')).toBeVisible();
  const events = card.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await expect(events).toHaveCount(2);
  const labels = events.filter({ hasText: 'Labels to the printer' });
  await expect(labels).toContainText('Nine drawings, two colours each.');
  await expect(labels.locator('time')).toHaveAttribute('datetime', '2026-05-12');
  await expect(labels.getByRole('link')).toHaveAttribute('href', 'https://en.wikipedia.org/wiki/Label');
  const colors = await events
    .locator('[data-color]')
    .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).backgroundColor));
  expect(new Set(colors).size).toBe(2);

  await card.getByRole('button', { name: /May 12/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const bees = card.getByRole('button', { name: /May 20, World Bee Day/ });
  await expect(bees).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(events).toHaveCount(1);
  await expect(events).toContainText('The hives are open to visitors');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(card.getByText('Nothing happens on this day.')).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(card.getByText('June 2026')).toBeVisible();
});

test('[DEMO-09] a dialog says that a feature is under development, with the way to a social media handle', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/app`);
  const button = page.getByRole('button', { name: 'Export report' });
  await button.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'This feature is under development' });
  const link = dialog.getByRole('link', { name: /^@\w+$/ });
  const handle = (await link.innerText()).slice(1);
  await expect(link, 'it leads to the handle that it names').toHaveAttribute(
    'href',
    `https://x.com/${handle}`,
  );
  await expect(link).toHaveAttribute('target', '_blank');
  await inspectOnPhone(page, 'under development');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test('[DEMO-10] the sign-up form has email and password, and enforces nothing', async ({ page, product }) => {
  await page.goto(`${product.url}/app`);
  const form = page.getByRole('form', { name: 'Sign up' });
  const password = form.getByPlaceholder('Min 8 characters');
  await expect(form.getByLabel('Email')).toHaveAttribute('type', 'email');
  await expect(password).toHaveAttribute('type', 'password');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await form.getByLabel('Email').fill('no address');
  await password.fill('short');
  await password.press('Enter');
  await expect(form.getByRole('status')).toContainText('nothing was checked');
  await expect(form.locator('[aria-invalid]')).toHaveCount(0);
  await expect(page).toHaveURL(`${product.url}/app`);
  expect(sent).toEqual([]);
});

test('[DEMO-18] map, gallery, logo and the four circles are there and used', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const release = await holdCalls(page, '**/api/user/profile*');
  await page.goto(`${product.url}/app`);
  const loader = page.getByRole('status').filter({ hasText: 'Checking your session' });
  await expect(loader.locator('.rounded-full')).toHaveCount(4);
  await release();
  const gallery = page.getByRole('region', { name: 'Gallery' }).getByRole('img');
  await expect(gallery).toHaveCount(12);
  const names = await gallery.evaluateAll((pictures) =>
    pictures.map((one) => one.getAttribute('aria-label')),
  );
  const drawings = await gallery.evaluateAll((pictures) => pictures.map((one) => one.innerHTML));
  expect(new Set(names).size).toBe(12);
  expect(new Set(drawings).size).toBe(12);
  const map = page.getByRole('img', { name: 'Map of orders by country' });
  // Its outlines are in a file that follows.
  await expect.poll(() => map.locator('path').count()).toBeGreaterThan(150);
  // Every country of the list is on the map.
  await expect(map.locator('[data-country]')).toHaveCount(
    await page.getByRole('list', { name: 'Orders' }).getByRole('listitem').count(),
  );
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cannery' }).locator('svg')).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${product.url}/login`);
  await expect(page.getByRole('main').locator('svg').first()).toBeVisible();
});

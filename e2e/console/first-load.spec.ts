import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { createCanister } from '../support/canisters-of.ts';
import { firstLoads, worldOfFirstLoads } from '../support/first-loads.ts';
import { expect, test } from '../support/product.ts';
import { told, transferredBy } from '../support/transferred.ts';
import { untilQuiet } from '../support/until-quiet.ts';

const source = fileURLToPath(new URL('../../apps/console/src', import.meta.url));

/** What stands between blanks and quotes in the sources of a folder, or in those beside it. */
function words(where: 'in the template shell' | 'elsewhere'): Set<string> {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|html)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => file.includes('/features/demo/') === (where === 'in the template shell'));
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').split(/[\s'"`{}]+/)));
}

/** The files a page asks for until it is quiet, by address. */
async function filesOf(page: Page, address: string): Promise<Map<string, string>> {
  const files = new Map<string, Promise<string>>();
  const keep = (response: Response): void => {
    const { pathname } = new URL(response.url());
    if (response.ok() && /\.(js|css)$/.test(pathname)) files.set(pathname, response.text());
  };
  page.on('response', keep);
  await page.goto(address);
  await untilQuiet(page);
  page.off('response', keep);
  return new Map(await Promise.all([...files].map(async ([name, text]) => [name, await text] as const)));
}

/** Classes of a style sheet, as the sources write them. */
function classesOf(css: string): string[] {
  return [...css.matchAll(/\.((?:[\w-]|\\.)+)/g)].map(([, name = '']) => name.replaceAll('\\', ''));
}

test('no page loads a byte of the template shell but its own', async ({ page, product, user }) => {
  const onlyThere = words('in the template shell').difference(words('elsewhere'));
  const id = await createCanister(user.api, 'Bakery');
  const expectNothingOfIt = async (address: string): Promise<void> => {
    const files = await filesOf(page, product.url + address);
    expect(files.size, address).toBeGreaterThan(3);
    // The build names every chunk that holds any of it so (vite.config.ts).
    expect(
      [...files.keys()].filter((name) => name.includes('/demo-')),
      address,
    ).toEqual([]);
    const classes = [...files].flatMap(([name, text]) => (name.endsWith('.css') ? classesOf(text) : []));
    expect(classes.length, address).toBeGreaterThan(200);
    expect(
      classes.filter((name) => onlyThere.has(name)),
      address,
    ).toEqual([]);
  };
  await expectNothingOfIt('/login');
  await page.evaluate((token) => localStorage.setItem('token', token), user.api.token);
  for (const address of [
    '/ics/dashboard',
    '/ics/canisters',
    `/ics/canister/${id}`,
    '/ics/registries',
    '/ics/marketplace',
    '/ics/account',
    '/ics/deploy',
  ]) {
    await expectNothingOfIt(address);
  }
  const own = await filesOf(page, `${product.url}/app/ecommerce/management`);
  expect([...own.keys()].filter((name) => name.includes('/demo-')).length).toBeGreaterThan(2);
});

test('the sign-in page loads at most 130 KiB, six scripts', async ({ page, product }) => {
  const files = await filesOf(page, `${product.url}/login`);
  expect(files.size).toBeGreaterThan(3);
  const sizes = [...files].map(([name, text]) => `${name} ${gzipSync(text).length}`);
  const sum = sizes.reduce((bytes, line) => bytes + Number(line.split(' ')[1]), 0);
  expect(sum, sizes.join('\n')).toBeLessThan(130 * 1024);
  expect(
    [...files.keys()].filter((name) => name.endsWith('.js')).length,
    sizes.join('\n'),
  ).toBeLessThanOrEqual(6);
});

for (const { name, mostBytes, addressOf, shown } of firstLoads) {
  test(`the first load of ${name} brings at most ${mostBytes / 1000} kB`, async ({
    browser,
    product,
    user,
  }) => {
    const world = await worldOfFirstLoads(user.api);
    const address = product.url + addressOf(world);
    const open = async (): Promise<Awaited<ReturnType<typeof transferredBy>>> => {
      await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      if (name !== '/login')
        await context.addInitScript((token) => localStorage.setItem('token', token), user.api.token);
      const page = await context.newPage();
      const transferred = await transferredBy(page, address);
      await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
      return transferred;
    };
    const transferred = await open();
    console.log(told(transferred));
    expect(transferred.bytes, told(transferred)).toBeLessThanOrEqual(mostBytes);
    // What a page is made of has come: fewer bytes than its scripts alone would be a page that is not there.
    expect(transferred.bytes, told(transferred)).toBeGreaterThan(80_000);
  });
}

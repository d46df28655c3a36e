import type { Page } from '@playwright/test';
import { callsOf } from '../support/calls.ts';
import { createCanister, installModule } from '../support/canisters-of.ts';
import { type EchoMethod, echoModule } from './echo-module.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { expect, test } from '../support/product.ts';

/** Elements that a page of an ordinary canister stays far below, whatever the interface. */
const MOST_ELEMENTS = 6_000;

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

test('[CAND-04] an interface of 10,000 methods is shown a page at a time, with a search over all', async ({
  page,
  product,
  user,
}) => {
  const id = await createCanister(user.api, 'Many methods');
  const names = Array.from({ length: 10_000 }, (_, index) => `method_${index}`);
  const did = `service : { ${names.map((name) => `${name} : (nat, text) -> (nat, text) query;`).join('\n')} }`;
  await installModule(user.api, id, echoModule([['query', 'method_7777']], did));
  const candid = new CandidPage(page);
  await candid.open(product.url, id);
  const methods = page.getByRole('region', { name: 'Methods' });
  await expect(methods.getByRole('article')).toHaveCount(50);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  const pages = page.getByRole('group', { name: 'Methods', exact: true });
  await expect(pages).toContainText('1 to 50 of 10,000');
  await pages.getByRole('button', { name: 'Later' }).click();
  await expect(methods.getByRole('article').first()).toHaveAccessibleName('method_50');

  await page.getByRole('searchbox', { name: 'Filter methods' }).fill('method_7777');
  await expect(methods.getByRole('article')).toHaveCount(1);
  await candid.show('method_7777');
  await candid.callWith('method_7777', '(7, "kept")');
  await expect(candid.reply('method_7777')).toContainText('7 : nat');
  // What was entered stays while other pages are looked at.
  await page.getByRole('searchbox', { name: 'Filter methods' }).fill('');
  await expect(methods.getByRole('article')).toHaveCount(50);
  await page.getByRole('searchbox', { name: 'Filter methods' }).fill('method_7777');
  await expect(candid.reply('method_7777')).toContainText('7 : nat');

  await page.goto(`${product.url}/candid/?id=${id}#method_9999`);
  await page.reload();
  await expect(candid.method('method_9999')).toBeVisible();
});

test('[CAND-04] a record of 30,000 fields is filled a page at a time, and its reply is shown in parts', async ({
  page,
  product,
  user,
}) => {
  const id = await createCanister(user.api, 'Many fields');
  const fields = Array.from({ length: 30_000 }, (_, index) => `field_${index}`);
  const choices = Array.from({ length: 3_000 }, (_, index) => `choice_${index}`);
  const did = `type R = record { ${fields.map((name) => `${name} : opt nat`).join(';')} };
    type V = variant { ${choices.join(';')} };
    service : { wide : (R) -> (R) query; one : (V) -> (V) query; list : (vec nat) -> (vec nat) query }`;
  const methods: EchoMethod[] = [
    ['query', 'wide'],
    ['query', 'one'],
    ['query', 'list'],
  ];
  await installModule(user.api, id, echoModule(methods, did));
  const candid = new CandidPage(page);
  await candid.open(product.url, id);
  const wide = await candid.show('wide');
  await expect(wide.getByRole('group', { name: /^Fields of/ })).toContainText('1 to 50 of 30,000');
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  await wide.getByRole('searchbox', { name: /^Find a field/ }).fill('field_29999');
  await expect(wide.getByRole('group', { name: /^field_/ })).toHaveCount(1);

  const one = await candid.show('one');
  await one.getByLabel('Choice of Argument').fill('choice_2999');
  await candid.call('one');
  await expect(candid.reply('one')).toContainText('variant { choice_2999 }');

  await candid.callWith('list', `(vec { ${'1;'.repeat(100_000)} })`);
  await expect(candid.reply('list')).toContainText('vec, 100,000 items');
  await candid.reply('list').getByRole('button', { name: 'vec, 100,000 items' }).click();
  await expect(candid.reply('list')).toContainText('Show more of 100,000');
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
});

test('[CAND-04] a field may have a name that every object has', async ({ page, product, user }) => {
  const id = await createCanister(user.api, 'Odd names');
  const did = `service : {
    own : (record { hasOwnProperty : nat; "__proto__" : text }) -> (record { hasOwnProperty : nat; "__proto__" : text }) query;
    constructor : (variant { toString : nat; valueOf }) -> (variant { toString : nat; valueOf }) query;
    "a.b[0]" : (record { "x.y" : nat }) -> (record { "x.y" : nat }) query;
  }`;
  await installModule(
    user.api,
    id,
    echoModule(
      [
        ['query', 'own'],
        ['query', 'constructor'],
        ['query', 'a.b[0]'],
      ],
      did,
    ),
  );
  const candid = new CandidPage(page);
  await candid.open(product.url, id);
  await candid.callWith('own', '(record { hasOwnProperty = 7; "__proto__" = "x" })');
  await expect(candid.reply('own')).toContainText('hasOwnProperty = 7 : nat');
  await expect(candid.reply('own')).toContainText('__proto__ = "x"');
  await candid.callWith('constructor', '(variant { toString = 8 })');
  await expect(candid.reply('constructor')).toContainText('variant { toString = 8 : nat }');
  await candid.callWith('a.b[0]', '(record { "x.y" = 9 })');
  await expect(candid.reply('a.b[0]')).toContainText('"x.y" = 9 : nat');
});

test('[CAND-04] a file that is too large for a call is refused where it is chosen, and nothing is sent', async ({
  page,
  product,
  user,
}) => {
  const id = await createCanister(user.api, 'Large files');
  await installModule(
    user.api,
    id,
    echoModule([['query', 'take']], 'service : { take : (blob) -> (blob) query }'),
  );
  const candid = new CandidPage(page);
  await candid.open(product.url, id);
  const sent = callsOf(page, 'POST', '/query');
  const take = await candid.show('take');
  await take.getByLabel('File', { exact: true }).check({ force: true });
  const choose = (size: number) =>
    take.locator('input[type=file]').setInputFiles({
      name: 'large.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(size, 1),
    });
  await choose(3_000_000);
  await expect(take.getByText(/^This file has 3,000,000 bytes\. A call takes 2 MiB at most/)).toBeVisible();
  await candid.call('take');
  await expect(take.getByText(/^This file has 3,000,000 bytes/)).toBeVisible();
  await expect(take).not.toContainText('Try again');
  expect(sent).toHaveLength(0);
  await choose(1_000);
  await candid.call('take');
  await expect(candid.reply('take')).toContainText('1,0');
  expect(sent.length).toBeGreaterThan(0);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanister, installModule } from '../support/canisters-of.ts';
import { compileMotoko } from '../support/motoko.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { pantrySource } from '../support/pantry.ts';
import { expect, test } from '../support/product.ts';
import { watchPage } from '../support/watch-page.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const leaf = 'variant { leaf }';

/** A method, arguments as text, and what its reply must hold: every type there and back. */
const CALLS: readonly (readonly [method: string, args: string, replies: readonly string[]])[] = [
  [
    'whole',
    `(record { i8 = -128; i16 = -32_768; i32 = -2_147_483_648; i64 = -9_223_372_036_854_775_808; n8 = 255;
       n16 = 65_535; n32 = 4_294_967_295; n64 = 18_446_744_073_709_551_615;
       i = -1_267_650_600_228_229_401_496_703_205_376; n = 340_282_366_920_938_463_463_374_607_431_768_211_456 })`,
    [
      '-9_223_372_036_854_775_808 : int64',
      '18_446_744_073_709_551_615 : nat64',
      '-1_267_650_600_228_229_401_496_703_205_376 : int',
      '340_282_366_920_938_463_463_374_607_431_768_211_456 : nat',
    ],
  ],
  [
    'floats',
    '(vec { nan; inf; -inf; -0.0; 1.5e300; 5e-324 })',
    ['nan : float64', '-inf : float64', '-0.0 : float64', '1.5e+300', '5e-324'],
  ],
  ['words', '("say \\"no\\"\\n🍞 é", 127_838, true)', ['"say \\"no\\"\\n🍞 é"', '127_838 : nat32', 'true']],
  [
    'tree',
    `(variant { node = record { left = ${leaf}; value = -7; right = variant { node = record { left = ${leaf}; value = 8; right = ${leaf} } } } })`,
    ['value = -7 : int', 'value = 8 : int'],
  ],
  ['list', '(opt record { head = 1; tail = opt record { head = 2; tail = null } })', ['head = 2 : int']],
  ['bytes', '(blob "\\00\\ffbread")', ['blob "\\00\\ffbread"']],
  ['options', '(opt "", opt null)', ['opt ""', 'opt null']],
  [
    'references',
    `(principal "${ID}", func "${ID}".ask, service "${ID}")`,
    [`principal "${ID}"`, `func "${ID}".ask`, `service "${ID}"`],
  ],
  ['anything', '(null, null)', ['null : reserved']],
  ['both', '()', ['0 : nat']],
  [
    'stock',
    `(record { name = "low"; place = record { 3; "left" }; boxes = vec { record { id = 1; tags = vec { "a" }; weight = opt 0.5 } };
       flavour = variant { mixed = record { first = variant { sweet }; second = variant { salty = record { grams = 9 } } } } })`,
    [
      'first = variant { sweet }',
      'grams = 9 : nat8',
      'record { 3 : nat16; "left" }',
      'weight = opt (0.5 : float64)',
    ],
  ],
];

test('[CAND-04] the Candid page gives and takes every type there is, by text, by form and at random', async ({
  page,
  product,
  user,
}) => {
  test.setTimeout(180_000);
  const id = await createCanister(user.api, 'Pantry');
  await installModule(user.api, id, readFileSync(compileMotoko(pantrySource)));
  const problems = await watchPage(page);
  const candid = new CandidPage(page);
  await candid.open(product.url, id);

  for (const [method, args, replies] of CALLS) {
    await test.step(`${method} by text`, async () => {
      if (args === '()') {
        await candid.show(method);
        await candid.call(method);
      } else {
        await candid.callWith(method, args);
      }
      for (const reply of replies) await expect(candid.reply(method)).toContainText(reply);
    });
  }

  await test.step('what cannot be called says why, and marks the place', async () => {
    await candid.show('never');
    await candid.call('never');
    await expect(candid.method('never')).toContainText('No value of this type exists');
    await candid.callWith('words', '("a", -1, true)');
    await expect(candid.text('words')).toHaveAttribute('aria-invalid', 'true');
    await expect(candid.text('words')).toBeFocused();
    await expect(candid.method('words')).toContainText('it must be between 0 and 4294967295');
    await expect(candid.method('words').locator('mark')).toHaveText('-1');
  });

  await test.step('form and text follow each other', async () => {
    const list = await candid.show('list');
    await list.getByRole('button', { name: 'As text' }).click();
    await list.getByLabel('Give a value for first').check();
    await expect(candid.text('list')).toHaveValue(/head = _/);
    await list.getByLabel(/^head /).fill('-12');
    await expect(candid.text('list')).toHaveValue('(opt record { head = -12 : int; tail = null })');
    await candid.text('list').fill('(opt record { head = 5; tail = opt record { head = 6; tail = null } })');
    await expect(list.getByLabel(/^head /)).toHaveCount(2);
    await expect(list.getByLabel(/^head /).last()).toHaveValue('6');
    await list
      .getByLabel(/^head /)
      .last()
      .fill('7');
    await candid.text('list').press('Control+Enter');
    await expect(candid.reply('list')).toContainText('head = 7 : int');
  });

  await test.step('a variant keeps what was entered for each choice', async () => {
    const tree = await candid.show('tree');
    await tree.getByLabel('Choice of root').selectOption('node');
    await tree.getByLabel(/^value /).fill('41');
    await tree.getByLabel('Choice of root').selectOption('leaf');
    await tree.getByLabel('Choice of root').selectOption('node');
    await expect(tree.getByLabel(/^value /)).toHaveValue('41');
  });

  await test.step('a blob from hex, text and file', async () => {
    const bytes = await candid.show('bytes');
    await bytes.getByLabel('Hex', { exact: true }).check({ force: true });
    await bytes.getByLabel(/^data /).fill('e2 9c 93');
    await bytes.getByLabel('Text', { exact: true }).check({ force: true });
    await expect(bytes.getByLabel(/^data /)).toHaveValue('✓');
    await bytes.getByLabel('File', { exact: true }).check({ force: true });
    const folder = mkdtempSync(path.join(tmpdir(), 'cannery-candid-'));
    try {
      const file = path.join(folder, 'long.bin');
      writeFileSync(file, Buffer.alloc(300_000, 7));
      await bytes.locator('input[type=file]').setInputFiles(file);
      await expect(bytes).toContainText('300,000 bytes');
      await bytes.getByRole('button', { name: 'As text' }).click();
      await expect(bytes).toContainText('too long to be shown as text');
      await candid.call('bytes');
      await expect(candid.reply('bytes')).toContainText('Show all 900,014 characters');
      await candid.view('bytes', 'Tree');
      await expect(candid.reply('bytes')).toContainText('blob, 300,000 bytes: 07 07 07');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  await test.step('5,000 numbers there, and 5,000 back', async () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => index).join(';');
    await candid.callWith('sum', `(vec { ${numbers} })`);
    await expect(candid.reply('sum')).toContainText('count = 5_000 : nat; total = 12_497_500 : nat');
    const sum = candid.method('sum');
    await expect(sum.getByRole('group', { name: 'Items of numbers' })).toContainText('1 to 50 of 5,000');
    await expect(sum.getByLabel(/^\d+ nat$/)).toHaveCount(50);
    await candid.callWith('count', '(5000)');
    await expect(candid.reply('count')).toContainText('Show all');
    await candid.view('count', 'Tree');
    await candid.reply('count').getByRole('button', { name: 'vec, 5,000 items' }).click();
    await expect(
      candid
        .reply('count')
        .getByRole('listitem')
        .filter({ hasText: /^99: 99 : nat$/ }),
    ).toBeVisible();
    await candid.reply('count').getByRole('button', { name: 'Show more of 5,000' }).click();
    await expect(candid.reply('count')).toContainText('199: 199 : nat');
    await candid.view('count', 'Hex');
    await expect(candid.reply('count')).toContainText('4449444c');
  });

  await test.step('random values are taken by every method that takes any', async () => {
    for (const name of ['stock', 'tree', 'list', 'options', 'references', 'bytes', 'whole', 'floats']) {
      const method = await candid.show(name);
      await method.getByRole('button', { name: 'Random', exact: true }).click();
      await candid.call(name);
      await expect(candid.reply(name).getByText('Reply', { exact: true }).first()).toBeVisible();
      await expect(method.locator('[aria-invalid]')).toHaveCount(0);
    }
    const words = await candid.show('words');
    await words.getByRole('button', { name: 'Random value for letter' }).click();
    await expect(words.getByLabel(/^letter /)).toHaveValue(/^\d+$/);
    await expect(words.getByLabel(/^line /)).toHaveValue('');
  });

  await test.step('a reply is copied as it is shown', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await candid.callWith('options', '(opt "jar", null)');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await candid.reply('options').getByRole('button', { name: 'Copy reply' }).click();
    await expect.poll(copied).toBe('(opt "jar", null)');
    await candid.view('options', 'Tree');
    await candid.reply('options').getByRole('button', { name: 'Copy reply as JSON' }).click();
    await expect.poll(copied).toBe('[\n  "jar",\n  null\n]');
  });
  expect(problems()).toEqual([]);
});

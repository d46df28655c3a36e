import { readFileSync } from 'node:fs';
import type { Api } from '@cannery/dev-env';
import type { Page } from '@playwright/test';
import { expectFits, violationsOf } from '../support/accessibility.ts';
import { createCanister, emptyModule, installModule } from '../support/canisters-of.ts';
import { compileMotoko } from '../support/motoko.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { pantrySource } from '../support/pantry.ts';
import { expect, test } from '../support/product.ts';
import { watchPage } from '../support/watch-page.ts';

const ANONYMOUS = '2vxsx-fae';

const chooseCaller = (page: Page, name: 'Anonymous' | 'This browser') =>
  page.getByRole('group', { name: 'Calls as' }).getByText(name, { exact: true }).click();

/** The smallest module there is, with an interface that only controllers may read. */
function privateModule(did: string): Buffer {
  const name = Buffer.from('icp:private candid:service');
  const section = Buffer.concat([Buffer.from([name.length]), name, Buffer.from(did)]);
  // The length of a section is one byte while it is below 128.
  return Buffer.concat([emptyModule, Buffer.from([0, section.length]), section]);
}

/** Makes a principal a controller of a canister, beside those it has. */
async function addController(api: Api, id: string, principal: string): Promise<void> {
  const { settings } = await api.call<{ settings: { controllers: string[] } }>(
    'GET',
    `/canister/details/${id}`,
  );
  await api.call('POST', '/canister/settings', {
    canister_id: id,
    settings: { controllers: [...settings.controllers, principal] },
  });
}

/** The principal of a key that is none of these. */
const anotherThan = (...known: string[]): RegExp => new RegExp(`"(?!${known.join('|')})[a-z0-9-]{63}"`);

/** As whom the canister sees the page call. @param wanted what its reply has; that of an earlier call stays until it comes */
async function whoami(candid: CandidPage, wanted: string | RegExp): Promise<string> {
  await candid.show('whoami');
  await candid.call('whoami');
  const reply = candid.reply('whoami').getByLabel('Reply', { exact: true });
  await expect(reply).toContainText(wanted);
  return /"(.*)"/.exec((await reply.textContent()) ?? '')?.[1] ?? '';
}

test('[CAND-04] the Candid page keeps its calls and its identity, and tells a controller what a call costs', async ({
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
  const entries = candid.history.getByRole('listitem');

  await test.step('each call is kept, with its arguments, and the page knows it after a reload', async () => {
    await candid.callWith('sum', '(vec { 20; 22 })');
    await expect(candid.reply('sum')).toContainText('total = 42 : nat');
    await candid.show('spill');
    await candid.call('spill');
    await expect(candid.reply('spill')).toContainText('the shelf fell');
    await expect(candid.reply('spill')).toContainText('IC0503');
    await expect(candid.reply('spill')).toContainText('rolled back');
    await candid.callWith('note', '("a jar")');
    await expect(candid.reply('note')).toContainText('A oneway method gives no reply');
    await expect(entries).toHaveCount(3);
    await page.reload();
    await expect(entries).toHaveCount(3);
    await expect(entries.nth(0)).toContainText('note("a jar")');
    await expect(entries.nth(1)).toContainText('IC0503');
    await expect(entries.nth(2)).toContainText('sum(vec { 20 : nat; 22 : nat })');
  });

  await test.step('a call is made again, or changed first', async () => {
    await entries.nth(2).locator('summary').click();
    await expect(entries.nth(2)).toContainText('total = 42 : nat');
    await entries.nth(2).getByRole('button', { name: 'Call again' }).click();
    await expect(entries).toHaveCount(4);
    await entries.nth(0).locator('summary').click();
    await expect(entries.nth(0)).toContainText('total = 42 : nat');
    await entries.nth(0).getByRole('button', { name: 'Edit and call' }).click();
    const sum = candid.method('sum');
    await expect(sum.getByLabel('1 nat', { exact: true })).toHaveValue('20');
    await sum.getByLabel('1 nat', { exact: true }).fill('100');
    await sum.getByLabel('1 nat', { exact: true }).press('Enter');
    await expect(candid.reply('sum')).toContainText('total = 122 : nat');
  });

  await test.step('calls are anonymous until asked otherwise; the identity outlives a reload', async () => {
    expect(await whoami(candid, ANONYMOUS)).toBe(ANONYMOUS);
    await chooseCaller(page, 'This browser');
    await expect(page.getByRole('button', { name: 'Copy your principal' })).toBeVisible();
    const own = await whoami(candid, /[a-z0-9-]{63}/);
    expect(own).toMatch(/^[a-z0-9-]{63}$/);
    await page.reload();
    expect(await whoami(candid, own)).toBe(own);
    await chooseCaller(page, 'Anonymous');
    expect(await whoami(candid, ANONYMOUS)).toBe(ANONYMOUS);
    await chooseCaller(page, 'This browser');
    expect(await whoami(candid, own)).toBe(own);
    // The secret key cannot be read, not even by a script of the page.
    const isSecret = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('cannery-candid');
        request.onsuccess = () => resolve(request.result);
      });
      const keys = await new Promise<CryptoKeyPair>((resolve) => {
        const request = database.transaction('keys').objectStore('keys').get('identity');
        request.onsuccess = () => resolve(request.result as CryptoKeyPair);
      });
      return !keys.privateKey.extractable && keys.privateKey.algorithm.name === 'Ed25519';
    });
    expect(isSecret).toBe(true);
  });

  await test.step('a controller sees what an update took of the balance', async () => {
    const own = await whoami(candid, /[a-z0-9-]{63}/);
    await candid.show('spill');
    await candid.call('spill');
    await expect(candid.reply('spill')).toContainText('the shelf fell');
    await expect(candid.reply('spill')).not.toContainText('cycles');
    await addController(user.api, id, own);
    await page.reload();
    await expect(page.getByText('Controller', { exact: true })).toBeVisible();
    await candid.show('spill');
    await candid.call('spill');
    await expect(candid.reply('spill')).toContainText(/[1-9][\d,]* cycles/);
    await candid.show('shelves');
    await candid.call('shelves');
    await expect(candid.reply('shelves')).toContainText('5 : nat');
    await expect(candid.reply('shelves')).not.toContainText('cycles');
  });

  await test.step('a controller reads an interface that others may not', async () => {
    const own = await whoami(candid, /[a-z0-9-]{63}/);
    const hidden = await createCanister(user.api, 'Hidden');
    await installModule(user.api, hidden, privateModule('service : { secret : () -> () query }'));
    await addController(user.api, hidden, own);
    await candid.open(product.url, hidden);
    await expect(candid.method('secret')).toBeVisible();
    await chooseCaller(page, 'Anonymous');
    await expect(page.getByText('This canister publishes no interface')).toBeVisible();
    await chooseCaller(page, 'This browser');
    await expect(candid.method('secret')).toBeVisible();
    await candid.open(product.url, id);
  });

  await test.step('a new identity and the end of it are asked about first', async () => {
    const before = await whoami(candid, /[a-z0-9-]{63}/);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await whoami(candid, before)).toBe(before);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new one' }).click();
    await expect(page.getByText('Controller', { exact: true })).toBeHidden();
    const after = await whoami(candid, anotherThan(before));
    expect(after).not.toBe(before);
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click();
    await expect(page.getByRole('button', { name: 'Forget', exact: true })).toBeHidden();
    expect(await whoami(candid, ANONYMOUS)).toBe(ANONYMOUS);
    await chooseCaller(page, 'This browser');
    const next = await whoami(candid, anotherThan(before, after));
    expect([before, after, ANONYMOUS]).not.toContain(next);
  });

  await test.step('only the last 100 calls are kept', async () => {
    await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('cannery-candid');
        request.onsuccess = () => resolve(request.result);
      });
      await new Promise((resolve) => {
        const writing = database.transaction('calls', 'readwrite');
        const calls = writing.objectStore('calls');
        const first = calls.openCursor();
        first.onsuccess = () => {
          const { id: _id, ...call } = (first.result as IDBCursorWithValue).value as { id: number };
          for (let copy = 0; copy < 150; copy++) calls.add(call);
        };
        writing.oncomplete = resolve;
      });
    });
    await candid.show('shelves');
    await candid.call('shelves');
    await expect(candid.reply('shelves')).toContainText('5 : nat');
    await page.reload();
    await expect(candid.history.getByText('100', { exact: true })).toBeVisible();
    await expect(entries).toHaveCount(20);
    await expect(entries.first()).toContainText('shelves');
    await candid.history.getByRole('button', { name: 'Show earlier calls' }).click();
    await expect(entries).toHaveCount(40);
  });

  await test.step('the history is cleared for good', async () => {
    await keepDatabaseBusy(page);
    await candid.history.getByRole('button', { name: 'Clear' }).click();
    await expect(candid.history).toContainText('Nothing called yet');
    await page.reload();
    await expect(page.getByRole('heading', { name: /^Methods/ })).toBeVisible();
    await expect(candid.history).toContainText('Nothing called yet');
  });
  expect(problems()).toEqual([]);
});

/** Other work of the browser's database comes first, for a second. */
async function keepDatabaseBusy(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('cannery-candid');
      request.onsuccess = () => resolve(request.result);
    });
    const calls = database.transaction('calls', 'readwrite').objectStore('calls');
    const end = Date.now() + 1_000;
    const work = (): void => {
      if (Date.now() < end) calls.count().onsuccess = work;
    };
    work();
  });
}

test('the Candid page takes a .did file, filters 200 methods by keyboard, and leads to one by link', async ({
  page,
  product,
  user,
}) => {
  const id = await createCanister(user.api, 'Bare');
  await installModule(user.api, id, emptyModule);
  const problems = await watchPage(page);
  const candid = new CandidPage(page);
  await candid.open(product.url, id);
  await expect(page.getByText('This canister publishes no interface')).toBeVisible();

  const names = Array.from({ length: 200 }, (_, index) => `method_${index}`);
  const did = `service : { ${names.map((name) => `${name} : (nat) -> (nat) query`).join(';\n')} }`;
  await test.step('a wrong text says where, a dropped file fills the field', async () => {
    await page.getByLabel('Interface (.did text)').fill('service : { one : (nat -> () }');
    await page.getByRole('button', { name: 'Use this interface' }).click();
    await expect(page.getByRole('alert')).toContainText('Line 1, column 24');
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'many.did'));
      return transfer;
    }, did);
    await page.getByLabel('Interface (.did text)').dispatchEvent('drop', { dataTransfer: dropped });
    await expect(page.getByLabel('Interface (.did text)')).toHaveValue(did);
    await page.getByRole('button', { name: 'Use this interface' }).click();
    await expect(page.getByRole('heading', { name: 'Methods 200' })).toBeVisible();
  });

  await test.step('/ filters, Enter opens the first, and the address names it', async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('_19');
    await expect(page.getByRole('heading', { name: 'Methods 11 of 200' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#method_19$/);
    const found = candid.method('method_19');
    await expect(found.getByRole('button', { name: /^method_19/ })).toBeFocused();
    await expect(found).toBeInViewport();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('nothing');
    await expect(page.getByText('No method has “nothing” in its name.')).toBeVisible();
    await page.getByRole('searchbox').fill('');
  });

  await test.step('a method the canister does not have is told from one that fails', async () => {
    const method = candid.method('method_19');
    await method.getByLabel(/^Argument /).fill('1');
    await method.getByLabel(/^Argument /).press('Enter');
    await expect(candid.reply('method_19')).toContainText('The canister has no such method');
    await expect(candid.reply('method_19')).toContainText('IC0536');
  });

  const pantry = await createCanister(user.api, 'Pantry');
  await installModule(user.api, pantry, readFileSync(compileMotoko(pantrySource)));
  await test.step('a link opens the page at its method', async () => {
    await page.goto(`${product.url}/candid/?id=${pantry}#words`);
    await expect(candid.method('words').getByLabel(/^line /)).toBeVisible();
    await expect(candid.method('words')).toBeInViewport();
    await candid.method('both').getByRole('link', { name: 'Link to both' }).click();
    await expect(candid.method('both').getByRole('button', { name: 'Query', exact: true })).toBeVisible();
    await expect(page).toHaveURL(/#both$/);
  });

  await test.step('the service without a method', async () => {
    await candid.open(product.url, id);
    await page.getByLabel('Interface (.did text)').fill('service : {}');
    await page.getByRole('button', { name: 'Use this interface' }).click();
    await expect(page.getByText('This canister has no public methods')).toBeVisible();
  });
  expect(problems()).toEqual([]);
});

test('the Candid page works under a policy without eval and inline code, in every theme, wide and narrow', async ({
  page,
  product,
  user,
}) => {
  test.setTimeout(180_000);
  const id = await createCanister(user.api, 'Pantry');
  await installModule(user.api, id, readFileSync(compileMotoko(pantrySource)));
  const problems = await watchPage(page);
  const candid = new CandidPage(page);

  const answer = await fetch(`${product.url}/candid/`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*/);

  await candid.open(product.url, id);
  await chooseCaller(page, 'This browser');
  await candid.callWith('words', '("wrong", -1, true)');
  await expect(candid.text('words')).toBeFocused();
  const options = await candid.show('options');
  await options.getByRole('button', { name: 'Random', exact: true }).click();
  await candid.call('options');
  await candid.view('options', 'Tree');
  await candid.show('spill');
  await candid.call('spill');
  await expect(candid.reply('spill')).toContainText('the shelf fell');
  await candid.history.locator('summary').first().click();
  await expect(candid.history.getByRole('button', { name: 'Call again' })).toBeVisible();

  for (const [theme, width] of [
    ['default', 1440],
    ['secondary', 1440],
    ['success', 390],
    ['dark', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    expect.soft(await violationsOf(page), `${theme}, ${width} px`).toEqual([]);
    await expectFits(page, `${width} px`);
  }
  expect(problems()).toEqual([]);
});

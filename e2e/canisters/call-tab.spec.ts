import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Principal } from '@icp-sdk/core/principal';
import type { Locator, Page } from '@playwright/test';
import { expectFits, violationsInThemes } from '../support/accessibility.ts';
import { calledSource } from './called.ts';
import { createCanister, installModule } from '../support/canisters-of.ts';
import { compileMotoko } from '../support/motoko.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { expect, test } from '../support/product.ts';
import { watchPage } from '../support/watch-page.ts';

/** Inside the project, so that a script finds its packages. */
const cache = fileURLToPath(new URL('../../.cache', import.meta.url));

const chooseCaller = (page: Page, name: 'Anonymous' | 'This browser' | 'Your key' | 'Controller') =>
  page.getByRole('group', { name: 'Calls as' }).getByText(name, { exact: true }).click();

const openTab = async (page: Page, url: string, id: string): Promise<CandidPage> => {
  await page.goto(`${url}/ics/canister/${id}`);
  await page.getByRole('tab', { name: 'Call', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Methods/ })).toBeVisible();
  return new CandidPage(page);
};

async function inspect(page: Page): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page, `${width} px`);
    expect(await violationsInThemes(page), `${width} px`).toEqual([]);
  }
}

async function copyAs(page: Page, method: Locator, way: string): Promise<string> {
  await method.getByRole('button', { name: 'Copy as' }).click();
  // Shown for two seconds, which are over at once on a busy machine: the page looks for it before it is there.
  const said = method.getByText('Copied').waitFor();
  await page.getByRole('menuitem', { name: way }).click();
  await said;
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Runs a copied script. @returns what it prints */
function runScript(text: string): string {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'copied-'));
  try {
    const file = join(folder, 'call.mjs');
    writeFileSync(file, text);
    return execFileSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('the tab Call of a canister calls it as anybody, as its controller, and as a key of the user', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(240_000);
  const id = await createCanister(user.api, 'Called');
  await installModule(user.api, id, readFileSync(compileMotoko(calledSource)));
  const problems = await watchPage(page);
  const candid = await openTab(page, product.url, id);
  await expect(page).toHaveURL(new RegExp(`/ics/canister/${id}\\?tab=call`));
  const keep = candid.method('keep');
  const fillEntry = async (): Promise<void> => {
    await keep.getByLabel(/^name /).fill('it\'s "bread" $(reboot)');
    await keep.getByLabel(/^size /).fill('5');
  };

  await test.step('anonymous, who is not let in', async () => {
    await candid.call('whoami');
    await expect(candid.reply('whoami')).toContainText('2vxsx-fae');
    await fillEntry();
    await candid.call('keep');
    await expect(candid.reply('keep')).toContainText('only a controller may keep entries');
    await expect(candid.reply('keep')).toContainText('IC0503');
  });

  await test.step('as the controller, which learns what an update costs', async () => {
    await chooseCaller(page, 'Controller');
    await expect(page.getByText('The console makes these calls with its own identity')).toBeVisible();
    await fillEntry();
    await keep.getByLabel(/^size /).press('Control+Enter');
    await expect(candid.reply('keep')).toContainText('1 : nat');
    await expect(candid.reply('keep')).toContainText(/[\d,]+ cycles/);
    const details = await user.api.call<{ console_principal: string }>('GET', `/canister/details/${id}`);
    await candid.call('whoami');
    await expect(candid.reply('whoami')).toContainText(details.console_principal);
    const tell = candid.method('tell');
    await tell.getByLabel(/^Argument /).fill('x');
    await candid.call('tell');
    await expect(candid.reply('tell')).toContainText('A oneway method gives no reply');
  });

  await test.step('a reply is read as JSON as well', async () => {
    await candid.call('list');
    await expect(candid.reply('list')).toContainText('size = 5 : nat');
    await candid.view('list', 'JSON');
    const text = (await candid.reply('list').getByLabel('Reply', { exact: true }).textContent()) ?? '';
    expect(JSON.parse(text)).toEqual([{ name: 'it\'s "bread" $(reboot)', size: 5, tags: [], note: null }]);
    await inspect(page);
  });

  await test.step('the form is left and the reply right where there is room, one above the other on a phone', async () => {
    const [button, reply] = [keep.getByRole('button', { name: 'Call', exact: true }), candid.reply('keep')];
    await expect
      .poll(async () => ((await reply.boundingBox())?.x ?? 0) > ((await button.boundingBox())?.x ?? 0) + 300)
      .toBe(true);
    await page.setViewportSize({ width: 390, height: 900 });
    await expect
      .poll(async () => ((await reply.boundingBox())?.y ?? 0) > ((await button.boundingBox())?.y ?? 0) + 20)
      .toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('as an imported key, which stays in the page', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const encrypted = privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const secret = pem.split('\n')[1] ?? '';
    const sent: string[] = [];
    page.on('request', (request) => {
      sent.push(`${request.url()} ${request.postDataBuffer()?.toString('latin1') ?? ''}`);
    });
    await chooseCaller(page, 'Your key');
    const dialog = page.getByRole('dialog', { name: 'Call with your own key' });
    await dialog.getByLabel('Private key (PEM)').fill(encrypted.toString());
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await expect(dialog.getByRole('alert')).toContainText('encrypted');
    await dialog.getByLabel('Private key (PEM)').fill('-----BEGIN RSA PRIVATE KEY-----');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await expect(dialog.getByRole('alert')).toContainText('not a private key of Ed25519');
    await inspect(page);
    await dialog
      .getByLabel('Choose a PEM file')
      .setInputFiles({ name: 'me.pem', mimeType: 'text/plain', buffer: Buffer.from(pem) });
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await expect(dialog).toBeHidden();
    await candid.call('whoami');
    const own = Principal.selfAuthenticating(publicKey.export({ type: 'spki', format: 'der' })).toText();
    await expect(candid.reply('whoami')).toContainText(`principal "${own}"`);
    const entry = candid.history.getByRole('listitem').first();
    await expect(entry).toContainText('whoami');
    await entry.locator('summary').click();
    await expect(entry).toContainText(`As ${own}`);
    const raw = publicKey.export({ format: 'jwk' }).x ?? '';
    expect(sent.some((one) => one.includes(Buffer.from(raw, 'base64url').toString('latin1')))).toBe(true);
    const bytes = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url').toString('latin1');
    for (const one of sent) {
      expect(one.includes(secret)).toBe(false);
      expect(one.includes(bytes)).toBe(false);
    }
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain(secret);
    await page.reload();
    await candid.show('whoami');
    await candid.call('whoami');
    await expect(candid.reply('whoami')).toContainText('2vxsx-fae');
  });
  expect(problems()).toEqual([]);
});

test('a call is copied, saved under a name, opened again and deleted', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(180_000);
  const id = await createCanister(user.api, 'Copied');
  await installModule(user.api, id, readFileSync(compileMotoko(calledSource)));
  const problems = await watchPage(page);
  const candid = await openTab(page, product.url, id);
  const greet = candid.method('greet');
  const field = greet.getByLabel(/^name /);
  const hostile = 'it\'s "$(reboot)" `id`';

  await test.step('a copied script makes the same call', async () => {
    await field.fill(hostile);
    const script = await copyAs(page, greet, 'JavaScript');
    expect(runScript(script).trim()).toBe(`Hello, ${hostile}`);
    const command = await copyAs(page, greet, 'icp canister call');
    expect(command.replace(/--network 'http:\/\/[\w.:]+'/, '--network <its address>')).toBe(
      `icp canister call --query --network <its address> --root-key fetch --identity anonymous -- ${id} 'greet' ` +
        `'("it'\\''s \\"$(reboot)\\" \`id\`")'`,
    );
    expect(await copyAs(page, greet, 'curl')).toMatch(/^printf '%s%016x' [0-9a-f]+ .*\/query' \| xxd$/);
    await greet.getByRole('button', { name: 'Copy as' }).click();
    await inspect(page);
    await page.keyboard.press('Escape');
  });

  await test.step('arguments that are wrong are marked, and nothing is copied', async () => {
    const keep = candid.method('keep');
    await keep.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: 'icp canister call' }).click();
    await expect(keep.getByLabel(/^size /)).toHaveAttribute('aria-invalid', 'true');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('printf');
  });

  const saved = page.getByRole('region', { name: 'Saved calls' });
  await test.step('it is saved, and there after a reload', async () => {
    await greet.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this call' });
    await dialog.getByRole('button', { name: 'Save call' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Enter a name');
    await dialog.getByLabel('Name').fill('<b>Greeting</b>');
    await dialog.getByLabel('Name').press('Control+Enter');
    await dialog.getByLabel('Name').press('Enter');
    await expect(saved.getByRole('listitem')).toHaveCount(1);
    await page.waitForTimeout(300);
    await expect(candid.reply('greet'), 'the keys were for the dialog').toHaveCount(0);
    await page.reload();
    await expect(saved.getByRole('listitem')).toContainText('<b>Greeting</b>');
    await saved.getByRole('button', { name: 'Open <b>Greeting</b>' }).click();
    await expect(field).toHaveValue(hostile);
    await candid.call('greet');
    await expect(candid.reply('greet')).toContainText("Hello, it's");
  });

  await test.step('the page of the canister beside the console knows it too, and it is deleted there', async () => {
    await candid.open(product.url, id);
    await saved.getByRole('button', { name: 'Delete <b>Greeting</b>' }).click();
    await expect(saved).toBeHidden();
    await page.reload();
    await expect(greet).toBeVisible();
    await expect(saved).toBeHidden();
    await expect(page.getByRole('group', { name: 'Calls as' }).getByText('Controller')).toBeHidden();
  });
  expect(problems()).toEqual([]);
});

test('the tab Call of an empty canister says what to do, and shows the methods as soon as code is installed', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Empty');
  await page.goto(`${product.url}/ics/canister/${id}?tab=call`);
  await expect(page.getByText('No code is installed')).toBeVisible();
  await inspect(page);
  await installModule(user.api, id, readFileSync(compileMotoko(calledSource)));
  await expect(page.getByRole('article', { name: 'whoami' })).toBeVisible();

  await test.step('what was entered stays while other tabs are open', async () => {
    const candid = new CandidPage(page);
    const size = candid.method('keep').getByLabel(/^size /);
    await size.fill('17');
    await page.getByRole('tab', { name: 'History', exact: true }).click();
    await expect(size).toHaveCount(0);
    await page.getByRole('tab', { name: 'Call', exact: true }).click();
    await expect(size).toHaveValue('17');
  });
});

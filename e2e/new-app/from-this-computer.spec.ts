import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { zipOf } from '../../apps/console/src/features/repository/upload/zip.testing.ts';
import { expectFits, violationsInThemes } from '../support/accessibility.ts';
import { failCalls } from '../support/calls.ts';
import { emptyModule } from '../support/canisters-of.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Files of this computer' });

/** Drops one file on the heading of the page: anywhere on it will do. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([file, text]) => {
      const bytes = Uint8Array.from(atob(text ?? ''), (sign) => sign.charCodeAt(0));
      const given = new DataTransfer();
      given.items.add(new File([bytes], file ?? ''));
      return given;
    },
    [name, content.toString('base64')],
  );
  const heading = page.getByRole('heading', { level: 1 });
  for (const type of ['dragover', 'drop']) await heading.dispatchEvent(type, { dataTransfer: transfer });
}

const bytesOf = async (file: File): Promise<Buffer> => Buffer.from(await file.arrayBuffer());

test('a folder becomes a new repository by a push of the browser, without git, secrets and what is installed, and is deployed', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-folder-'));
  const files: Record<string, string> = {
    'index.html': '<!doctype html><html lang="en"><title>Bread</title><h1>Fresh bread</h1></html>',
    'css/größe.css': 'h1 { color: green }',
    '.env': 'SECRET=abc',
    '.git/config': '[core]',
    'node_modules/x/index.js': 'x',
  };
  for (const [file, content] of Object.entries(files)) {
    const at = path.join(folder, 'my bakery', file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, content);
  }
  const before = await user.api.call<unknown[]>('GET', '/repository/tokens');
  const form = new NewDeployPages(page, product.url);
  try {
    for (const name of ['my-bakery', 'my-bakery-2']) {
      await form.open('STATIC_SITE');
      await page.getByLabel('Folder of a project').setInputFiles(path.join(folder, 'my bakery'));
      await expect(card(page).getByRole('status')).toHaveText(/^my-bakery 2 files, /);
      await expect(card(page)).toContainText('.env (it may hold secrets)');
      await expect(card(page)).toContainText('node_modules (installed again by the build)');
      await card(page).getByRole('button', { name: 'Upload' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        `You are creating deploy for ${user.name}/${name}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const content = await user.api.call<{ files: { path: string }[]; commits: { subject: string }[] }>(
    'GET',
    `/repository/content/${user.name}/my-bakery-2`,
  );
  expect(content.files.map((file) => file.path)).toEqual(['css/größe.css', 'index.html']);
  expect(content.commits).toMatchObject([{ subject: 'Start of my-bakery-2', author: user.name }]);
  // Nothing of the way it came by stays.
  expect(await user.api.call('GET', '/repository/tokens')).toEqual(before);

  await expect(page.getByText('index.html is ready to serve.')).toBeVisible();
  await expect(form.name).toHaveValue('my-bakery-2');
  await form.submit.click();
  await expect(page.getByText('my-bakery-2 is live for')).toBeVisible({ timeout: 120_000 });
});

test('an archive that is dropped anywhere is read here and uploaded; a hostile or an unfit one is refused before', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const form = new NewDeployPages(page, product.url);
  await form.open('STATIC_SITE');
  await expect(card(page)).toBeVisible();
  for (const [entries, reason] of [
    [[{ name: '../../evil.sh', content: 'x' }], "'../../evil.sh' is no path that a project can have."],
    [[{ name: 'a', content: '/etc/passwd', mode: 0o120777 }], 'is a link or a device'],
    [[{ name: 'a', content: 'x', size: 70 * 1024 ** 2 }], 'larger than 64 MiB'],
    [[{ name: 'a', content: 'x'.repeat(100_000), size: 5 }], 'no zip archive, or a part of it is missing'],
  ] as const) {
    await drop(page, 'evil.zip', await bytesOf(zipOf(entries)));
    await expect(card(page).getByRole('alert')).toContainText(reason);
  }
  await drop(page, 'notes.txt', Buffer.from('x'));
  await expect(card(page).getByRole('alert')).toHaveText(
    "'notes.txt' is not a folder, a .zip or a .wasm file.",
  );
  expect(await user.api.call('GET', '/deploy/repos')).toEqual([]);

  const archive = zipOf([
    { name: 'mill-main/src/index.html', content: '<h1>Flour</h1>' },
    { name: 'mill-main/build.sh', content: '#!/bin/sh\n', mode: 0o100755 },
  ]);
  await drop(page, 'mill-main.zip', await bytesOf(archive));
  await expect(card(page).getByRole('status')).toHaveText(/^mill-main 2 files, /);
  await card(page).getByRole('button', { name: 'Cancel' }).click();
  await drop(page, 'mill-main.zip', await bytesOf(archive));
  // What fails says so, and keeps what was read.
  await failCalls(page, '**/mill-main.git/git-receive-pack', 413);
  await card(page).getByRole('button', { name: 'Upload' }).click();
  await expect(card(page).getByRole('alert')).toContainText('The files were not uploaded');
  await page.unrouteAll();
  await card(page).getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `You are creating deploy for ${user.name}/mill-main`,
  );
  await expect(page.getByRole('region', { name: 'What was read' })).toContainText('src');
});

test('a module that is dropped is installed in a new canister; whoever leaves the first question has none', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const form = new NewDeployPages(page, product.url);
  await form.open('MOTOKO');
  await expect(card(page)).toBeVisible();
  const create = page.getByRole('dialog', { name: 'Create Canister' });
  await drop(page, 'till.wasm', emptyModule);
  await expect(create).toContainText('A canister costs 2.00 T');
  await create.getByRole('button', { name: 'Cancel' }).click();
  await expect(create).toBeHidden();
  expect(await user.api.call('GET', '/canister/list/')).toEqual([]);

  await drop(page, 'till.wasm', emptyModule);
  await expect(create.getByLabel('Name')).toHaveValue('till');
  await create.getByRole('button', { name: 'Create' }).click();
  const install = page.getByRole('dialog', { name: 'Install WASM' });
  await expect(install).toContainText('till.wasm');
  await install.getByRole('button', { name: 'Install' }).click();
  await expect(page).toHaveURL(/\/ics\/canister\/[a-z0-9-]+/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('till');
  const [canister] = await user.api.call<{ name: string; module_hash: string | null }[]>(
    'GET',
    '/canister/list/',
  );
  expect(canister?.name).toBe('till');
  expect(canister?.module_hash).toBeTruthy();
});

test('the Push tab waits for a push, and offers what has arrived, within a second', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'old', { 'index.html': 'x' });
  const form = new NewDeployPages(page, product.url);
  await form.openAt('STATIC_SITE', 'Push');
  const push = page.getByRole('status', { name: 'Push' });
  await expect(push).toHaveText(/^Waiting for your push\./);
  await pushFiles(product, user, 'mill', { 'index.html': '<h1>Flour</h1>' });
  await expect(push).toHaveText(/^mill has arrived/, { timeout: 1_000 });
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Bread</h1>' });
  await expect(push.getByRole('button')).toHaveCount(2);
  expect(await layoutShift(page)).toBeLessThanOrEqual(NOT_MOVED);
  await push.getByRole('button', { name: 'Deploy mill' }).click();
  expect(await form.handedOver()).toEqual({
    repo_name: 'mill',
    owner: user.name,
    isPublic: false,
    url: `${product.url}/${user.name}/mill.git`,
  });
  await expect(form.name).toHaveValue('mill');
});

test('both columns are used at every width, nothing jumps, and nothing is wrong for anybody', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  test.slow();
  const form = new NewDeployPages(page, product.url);
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await form.open('STATIC_SITE');
    await expect(page.getByRole('button', { name: 'Use template' }).first()).toBeVisible();
    expect(await layoutShift(page), `${width}`).toBeLessThanOrEqual(NOT_MOVED);
    await expectFits(page, `${width} px wide`);
    expect.soft(await violationsInThemes(page), `${width} px wide`).toEqual([]);
    const main = await page.getByRole('main').boundingBox();
    const box = await page.getByRole('complementary', { name: 'Other ways' }).boundingBox();
    const right = (box?.x ?? 0) + (box?.width ?? 0);
    expect((main?.x ?? 0) + (main?.width ?? 0) - right, `${width}: to the right`).toBeLessThan(60);
    if (width >= 1200) expect(box?.y, `${width}: beside the tabs`).toBeLessThan(400);
  }
});

test('both fields of the browser open from buttons by keyboard', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  // From the start: where the first listener comes with the key, Chromium may get the key before it is told to report fields.
  let opened = 0;
  page.on('filechooser', () => (opened += 1));
  await new NewDeployPages(page, product.url).open('STATIC_SITE');
  for (const [place, name] of ['Choose a folder', 'Choose a file'].entries()) {
    await card(page).getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => opened, { message: name }).toBe(place + 1);
  }
});

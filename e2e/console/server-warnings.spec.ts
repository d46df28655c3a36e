import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApi, signIn } from '@cannery/dev-env';
import { expectFits } from '../support/accessibility.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { expect, test as base } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

/** Fills a folder with links to all programs of this machine but git. */
function linkPrograms(folder: string): void {
  // The first of a name counts, as on the path itself.
  const linked = new Set(['git']);
  for (const place of (process.env['PATH'] ?? '').split(path.delimiter)) {
    for (const name of existsSync(place) ? readdirSync(place) : []) {
      if (linked.has(name)) continue;
      linked.add(name);
      symlinkSync(path.join(place, name), path.join(folder, name));
    }
  }
}

const test = base.extend({
  settings: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'cannery-path-'));
      linkPrograms(folder);
      await use({ PATH: folder });
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

test('what the server warns of is drawn with the page, and pushes nothing down', async ({
  page,
  product,
}) => {
  const api = createApi(product.url, await signIn(product.url, 'ada'));
  await page.addInitScript((value) => localStorage.setItem('token', value), api.token);
  // What is wrong with the machine is known a second after the server is ready.
  await expect
    .poll(() => api.call<{ warnings: string[] }>('GET', '/config').then((config) => config.warnings))
    .toContainEqual(expect.stringContaining('git'));
  const warnings = page.getByRole('complementary', { name: 'Warnings' });
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const address of ['/ics/dashboard', '/ics/registries', '/ics/account']) {
      await page.goto(product.url + address);
      await expect(warnings).toContainText('git');
      await untilQuiet(page);
      expect.soft(await layoutShift(page), `${address}, ${size.width} px`).toBeLessThanOrEqual(NOT_MOVED);
      await expectFits(page, `${address}, ${size.width} px`);
    }
  }
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FreshClone } from '../guide/fresh-clone.ts';
import { Newcomer } from '../guide/newcomer.ts';
import { chapters, walk } from '../guide/walk.ts';
import { expect, test } from '../support/product.ts';

/** Packages come from afar. */
const WHOLE_WALK_MS = 1_800_000;
/** 'Each later one takes seconds.' */
const LATER_START_MS = 60_000;

/** `npm run docs:walk`: what `npm test` leaves out, because it fetches every package. */
test('[DEMO-11] the quick start works on a fresh clone, as its text stands', async ({ page, context }) => {
  test.setTimeout(WHOLE_WALK_MS);
  const quickStart = chapters.get('quick-start');
  expect(quickStart).toBeDefined();
  if (!quickStart) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-fresh-clone-'));
  const product = await FreshClone.make(folder);
  try {
    expect(existsSync(path.join(product.folder, 'node_modules'))).toBe(false);
    const begin = performance.now();
    const newcomer = new Newcomer({ product, context, page, folder, name: 'ada' });
    await walk(newcomer, quickStart);
    console.log(`from the clone to the dashboard: ${seconds(begin)} s`);

    await test.step('a later start takes seconds, and finds what was there', async () => {
      expect(existsSync(path.join(product.folder, '.cannery'))).toBe(true);
      await product.stop();
      await expect(page.request.get(product.url)).rejects.toThrow('ECONNREFUSED');
      const again = performance.now();
      await product.start('npm start');
      const line = newcomer.own('Cannery is ready: http://localhost:4000');
      await expect.poll(() => product.output(), { timeout: LATER_START_MS }).toContain(line);
      console.log(`a later start: ${seconds(again)} s`);
      await page.reload();
      await expect(page.getByText('100.00 T').first()).toBeVisible();
    });
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

const seconds = (since: number): number => Math.round((performance.now() - since) / 1000);

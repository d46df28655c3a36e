import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProduct } from '@cannery/dev-env';
import type { GuideChapter } from '@cannery/guide';
import { Newcomer } from '../guide/newcomer.ts';
import { stepsOf } from '../guide/steps.ts';
import { chapters, guide, walk } from '../guide/walk.ts';
import { alreadyRunning } from '../guide/walked-product.ts';
import { test } from '../support/product.ts';

/** `npm run docs:pictures` walks the guide as well, as `ada` on a new product for each chapter, and keeps its pictures. */
const pictures = process.env['GUIDE_PICTURES'] === undefined ? undefined : guide;
const PICTURE = { width: 1440, height: 760 };

/** Whether a chapter stops the product, which the tests of other chapters need. */
const stops = (chapter: GuideChapter): boolean => JSON.stringify(chapter.blocks).includes('Stop Cannery');

for (const chapter of chapters.values()) {
  if (stepsOf(chapter.blocks).length === 0) continue;
  test(`[DEMO-11] the steps of '${chapter.title}' do what they say`, async ({
    page,
    context,
    product: shared,
    user,
  }) => {
    test.setTimeout(300_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const folder = mkdtempSync(path.join(tmpdir(), 'cannery-newcomer-'));
    const product =
      pictures !== undefined || stops(chapter)
        ? await startProduct({ dataDir: path.join(folder, '.cannery') })
        : shared;
    const name = pictures === undefined ? user.name : 'ada';
    try {
      if (pictures !== undefined) await page.setViewportSize(PICTURE);
      const walked = alreadyRunning(product);
      await walk(new Newcomer({ product: walked, context, page, folder, name, pictures }), chapter);
    } finally {
      if (product !== shared) await product.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

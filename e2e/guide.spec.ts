import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProduct } from '@cannery/dev-env';
import { type GuideChapter, readGuide } from '@cannery/guide';
import { followStep, stepName } from './guide/follow.ts';
import { Newcomer } from './guide/newcomer.ts';
import { neededFirst, stepsOf } from './guide/steps.ts';
import { expect, test } from './product.ts';

const guide = fileURLToPath(new URL('../docs/guide', import.meta.url));
const { chapters } = readGuide(guide);

/** `npm run docs:pictures` walks the guide as well, as `ada` on a new product for each chapter, and keeps its pictures. */
const pictures = process.env['GUIDE_PICTURES'] === undefined ? undefined : guide;
const PICTURE = { width: 1440, height: 760 };

/** A chapter's steps, after those of the chapters that it builds on. */
async function walk(newcomer: Newcomer, chapter: GuideChapter): Promise<void> {
  for (const name of neededFirst(chapter)) {
    const needed = chapters.get(name);
    expect(needed, `${chapter.name} needs ${name}`).toBeDefined();
    if (needed) await walk(newcomer, needed);
  }
  for (const part of stepsOf(chapter.blocks)) {
    await test.step(`${chapter.name}: ${stepName(part)}`, () => followStep(newcomer, part));
  }
}

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
      await page.emulateMedia({ reducedMotion: 'reduce' });
      if (pictures !== undefined) await page.setViewportSize(PICTURE);
      await walk(new Newcomer({ product, context, page, folder, name, pictures }), chapter);
    } finally {
      if (product !== shared) await product.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

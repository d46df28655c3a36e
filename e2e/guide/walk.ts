import { fileURLToPath } from 'node:url';
import { type GuideChapter, readGuide } from '@cannery/guide';
import { expect, test } from '../support/product.ts';
import { followStep, stepName } from './follow.ts';
import type { Newcomer } from './newcomer.ts';
import { neededFirst, stepsOf } from './steps.ts';

/** Folder of the guide. */
export const guide = fileURLToPath(new URL('../../docs/guide', import.meta.url));
export const { chapters } = readGuide(guide);

/** Follows a chapter's steps, after those of the chapters that it builds on. */
export async function walk(newcomer: Newcomer, chapter: GuideChapter): Promise<void> {
  for (const name of neededFirst(chapter)) {
    const needed = chapters.get(name);
    expect(needed, `${chapter.name} needs ${name}`).toBeDefined();
    if (needed) await walk(newcomer, needed);
  }
  for (const part of stepsOf(chapter.blocks)) {
    await test.step(`${chapter.name}: ${stepName(part)}`, () => followStep(newcomer, part));
  }
}

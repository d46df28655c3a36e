import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { filesOf } from '../scripts/parts/test-parts.mjs';
import { findChromium, hasSharedMemory } from './support/chromium.ts';

// A picture takes a browser a second and a half; the test of pictures switches them on.
process.env['SITE_PICTURES'] ??= 'off';
// A machine may have Rust or not.
process.env['RUST_TOOLCHAIN'] ??= 'off';
/** Patterns of Playwright match whole paths. */
const anywhere = (files: readonly string[]): string[] => files.map((file) => `**/${file}`);
const journeys = filesOf('e2e', 'e2e/**/*.spec.ts');
const browser = await findChromium(fileURLToPath(new URL('../.cache', import.meta.url)));

export default defineConfig({
  testDir: '.',
  // `npm run docs:walk` runs what is too slow for every run of the tests.
  testMatch: process.env['GUIDE_WALK'] === undefined ? anywhere(journeys.include) : '**/*.walk.ts',
  testIgnore: anywhere(journeys.exclude),
  outputDir: '../test-results',
  // Each waits often, for a refresh or a toast: four keep two cores busy.
  workers: 4,
  fullyParallel: false,
  // A test that a busy machine broke gets another chance; `npm test` names each that needed it.
  retries: 1,
  timeout: 240_000,
  // What a build is to show comes when the machine has time for it: builds run at the lowest priority.
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // Nobody waits longer for a button; a click that can never be made should not cost the time of a whole test.
    actionTimeout: 45_000,
    // Moving parts cost a fifth of the time, in drawing and in waiting until they stand still; `main-job.spec.ts` has them.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
      executablePath: browser.executablePath,
      args: [...browser.args],
      env: { ...process.env, ...browser.env } as Record<string, string>,
    },
  },
});

import { fileURLToPath } from 'node:url';
import { guidePlugin } from '@cannery/guide';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';
import { filesOf } from './scripts/parts/test-parts.mjs';

const integration = filesOf('integration', '{packages,apps,canisters,scripts}/**/*.integration.test.ts');
const exclude = ['**/node_modules/**', '**/dist/**', '**/.cannery/**', '**/.cache/**'];

/** It changes a module for all who load it, and runs the tests of other files once more. */
const CHANGED = 'packages/replica/src/engine/heavy-path.test.ts';
/** It measures the memory of its process. */
const MEASURED = 'packages/replica/src/engine/given-back.test.ts';
/** What is waited for comes when the machine has time for it, and ends the wait at once. */
const POLL_MS = 25_000;
/** A test that a busy machine broke gets another chance; `npm test` names each that needed it. */
const RETRIES = 1;

const ofUnitTests = {
  environment: 'node',
  // Many start an engine and compile; a busy machine must not make them fail.
  testTimeout: 90_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: POLL_MS } },
  retry: RETRIES,
} as const;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // As the console is built: what leads to chapters is tested against those that there are.
        plugins: [guidePlugin(fileURLToPath(new URL('docs/guide', import.meta.url)))],
        test: {
          name: 'unit',
          // Some wait for a deadline: three keep two cores busy.
          maxWorkers: 3,
          include: ['{packages,apps,canisters,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.integration.test.ts', CHANGED, MEASURED],
          // Loading the modules again for each of 300 files takes a fifth of the time.
          isolate: false,
          ...ofUnitTests,
        },
      },
      {
        test: {
          name: 'unit in a process of one file',
          include: [CHANGED, MEASURED],
          ...ofUnitTests,
        },
      },
      {
        test: {
          name: 'integration',
          globalSetup: 'apps/server/test/support/empty-database.ts',
          include: integration.include,
          exclude: [...exclude, ...integration.exclude],
          isolate: false,
          environment: 'node',
          // A picture takes a browser a second and a half; tests of pictures switch them on.
          // A machine may have Rust or not; tests of Rust name theirs.
          env: { SITE_PICTURES: 'off', RUST_TOOLCHAIN: 'off' },
          // Several builds in one test, four tests at a time on two cores.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each waits often, for a disk or a deadline: four keep two cores busy.
          maxWorkers: 4,
          expect: { poll: { timeout: POLL_MS } },
          retry: RETRIES,
        },
      },
    ],
  },
});

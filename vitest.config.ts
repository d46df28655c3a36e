import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/dist/**', '**/.cannery/**', '**/.cache/**'];

/** What is waited for comes when the machine has time for it, and ends the wait at once. */
const POLL_MS = 25_000;
/** A test that a busy machine broke gets another chance; `npm test` names each that needed it. */
const RETRIES = 1;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Vitest leaves a core unused unless told, which on two cores is half of the machine.
          maxWorkers: '100%',
          include: ['{packages,apps,canisters,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.integration.test.ts'],
          environment: 'node',
          // Many start an engine and compile; a busy machine must not make them fail.
          testTimeout: 90_000,
          hookTimeout: 90_000,
          expect: { poll: { timeout: POLL_MS } },
          retry: RETRIES,
        },
      },
      {
        test: {
          name: 'integration',
          globalSetup: 'apps/server/test/empty-database.ts',
          include: ['{packages,apps,canisters,scripts}/**/*.integration.test.ts'],
          exclude,
          environment: 'node',
          // A picture takes a browser a second and a half; tests of pictures switch them on.
          env: { SITE_PICTURES: 'off' },
          // Several builds in one test, three tests at a time on two cores.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each waits often, for a disk or a deadline: three keep two cores busy.
          maxWorkers: 3,
          expect: { poll: { timeout: POLL_MS } },
          retry: RETRIES,
        },
      },
    ],
  },
});

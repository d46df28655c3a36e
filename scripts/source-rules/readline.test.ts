import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTest, sourceFiles } from '../source-files.ts';

/**
 * What these read are words that our own programs say to each other. Anything else may have text of a tenant in it, and `readline` ends a line
 * at U+2028 too: one such character in a name made a backup that could not be restored. `linesOf` does not (apps/server/src/lines-of.ts).
 */
const OWN_WORDS = [
  'apps/server/src/backup/network-copy.ts',
  'apps/server/src/builders/disks/mount-space.ts',
  'packages/network/src/maintenance.ts',
  'packages/store/src/backup/backup-socket.ts',
];

test('readline reads the words of our own programs only', () => {
  const product = sourceFiles(/^(?:apps|packages)\/[^/]+\/src\/.*\.(?:ts|tsx|mjs)$/).filter(
    (file) => !isTest(file),
  );
  expect(product.length).toBeGreaterThan(1_000);
  const readers = product.filter((file) =>
    /['"]node:readline(?:\/promises)?['"]/.test(readFileSync(file, 'utf8')),
  );
  expect(readers.toSorted()).toEqual(OWN_WORDS);
});

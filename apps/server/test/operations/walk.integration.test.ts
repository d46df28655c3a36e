import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runsEveryCase } from '../support/every-case.ts';
import { type Release, whyNoBareMachine } from './bare-machine.ts';
import { walkOperations } from './walk.ts';

/** Six minutes on an idle machine. */
const PATIENCE_MS = 1_800_000;

/** Debian's mirror is asked for 200 MB, so this is for `npm run test:all` alone; `npm run operations:walk` prints what it does. */
test.runIf(runsEveryCase && whyNoBareMachine() === null).each<Release>(['bookworm', 'trixie'])(
  'the pages for operators lead where they say, word by word, on a bare Debian %s',
  { timeout: PATIENCE_MS },
  async (release) => {
    const folder = mkdtempSync(join(tmpdir(), 'cannery-operations-'));
    const said: string[] = [];
    try {
      await walkOperations(release, folder, (text) => said.push(text));
      expect(said.join('\n')).toContain('cannery restore --from /srv/backups/');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

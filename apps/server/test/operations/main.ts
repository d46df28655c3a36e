// `npm run operations:walk`: follows the pages for operators (docs/operations: install, backup, secrets) on bare machines, word by word.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { whyNoBareMachine } from './bare-machine.ts';
import { walkOperations } from './walk.ts';

const HELP = `Makes two bare machines (Debian's minimal root with its systemd, beside this one) and follows the pages for operators on them.

  --release NAME  bookworm (Debian 12) or trixie (Debian 13); both without it

It needs root, debootstrap, the mirror of Debian and the registry of npm, and the ports 4000 and 4943.
`;

const { values } = parseArgs({
  options: { release: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
const wanted = (['bookworm', 'trixie'] as const).filter((name) => name === (values.release ?? name));
const why = wanted.length === 0 ? `There is no release '${values.release}'.` : whyNoBareMachine();
if (values.help === true || why !== null) {
  process.stderr.write(values.help === true ? HELP : `${why}\n\n${HELP}`);
  process.exit(values.help === true ? 0 : 1);
}
for (const release of wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-operations-'));
  try {
    await walkOperations(release, folder, (text) => process.stdout.write(`${text}\n`));
    process.stdout.write(`The pages lead where they say on ${release}.\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

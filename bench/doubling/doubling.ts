import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Section, spreadOf } from '../figures.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** Test files that call `expectLinear`, by parts of their names. */
const FILES = ['doubling', 'hostile-envelope', 'drawn-sizes'];

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The doubling tests, at the bounds that only a machine with nothing else to do can hold: three doublings, 24 times the time. */
export const doubling: Section = {
  title: 'Doubling of what strangers send',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'cannery-doubling-'));
    const output = join(folder, 'report.json');
    const args = [VITEST, 'run', '--project', 'unit', '--maxWorkers=1', '--retry=0', '--reporter=json'];
    // Its exit code says no more than the report.
    await new Promise<void>((resolve) => {
      const env = { ...process.env, DOUBLING: 'calm' };
      execFile(process.execPath, [...args, `--outputFile=${output}`, ...FILES], { cwd: ROOT, env }, () =>
        resolve(),
      );
    });
    const { testResults } = JSON.parse(await readFile(output, 'utf8')) as Report;
    await rm(folder, { recursive: true });
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const broken = tests.filter(({ status }) => status === 'failed');
    report({
      what: `rows of ${tests.length} whose work grows faster than the input`,
      unit: '',
      spread: spreadOf([broken.length]),
      goal: { atMost: 0 },
      note: broken.map(({ fullName }) => fullName).join('; '),
    });
  },
};

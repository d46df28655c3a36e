import { pageSum } from '../files/checksum.ts';
import { StoreDamagedError } from '../files/errors.ts';
import type { SummedPage } from './page-files.ts';
import { SLOT_BYTES, SUM_BYTES } from '../log/record.ts';
import type { RedoLog } from '../log/redo-log.ts';

/** Slots read at a time. */
const RUN_SLOTS = 256;

type Located = readonly [index: number, position: number];

/** Slots that stand next to each other in the log. */
function* runsOf(located: readonly Located[]): Generator<readonly Located[]> {
  let run: Located[] = [];
  for (const next of located) {
    const last = run.at(-1);
    if (last && (next[1] !== last[1] + SLOT_BYTES || run.length === RUN_SLOTS)) {
      yield run;
      run = [];
    }
    run.push(next);
  }
  if (run.length > 0) yield run;
}

/**
 * Reads pages from a log, those of one record at once where they are in the order asked for. Throws
 * `StoreDamagedError` for a page that is not as it was written.
 */
export function* readLogged(log: RedoLog, located: readonly Located[]): Generator<SummedPage> {
  for (const run of runsOf(located)) {
    const slots = log.read(run[0]?.[1] ?? 0, run.length * SLOT_BYTES);
    for (const [order, [index]] of run.entries()) {
      const at = order * SLOT_BYTES;
      const sum = slots.readUInt32LE(at);
      const bytes = slots.subarray(at + SUM_BYTES, at + SLOT_BYTES);
      if (pageSum(bytes) !== sum) throw new StoreDamagedError(log.path, `page ${index} in it is broken`);
      yield { index, sum, bytes };
    }
  }
}

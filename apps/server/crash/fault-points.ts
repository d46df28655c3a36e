import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashOrder, FaultRun, nameOf } from './fault-run.ts';

/** Within this time after a start everything that was cut off must be ended. */
const LIMIT_MS = 5000;

const folder = mkdtempSync(join(tmpdir(), 'cannery-faults-'));
const run = await FaultRun.start(folder, crashOrder);
let failed = 0;
try {
  for (const crash of crashOrder) {
    const { isDone, settledMs, findings } = await run.crashAt(crash);
    const isLate = settledMs > LIMIT_MS;
    if (isLate || findings.length > 0) failed += 1;
    const cells = [
      nameOf(crash).padEnd(26),
      (isDone ? 'done' : 'nothing').padEnd(9),
      `${settledMs.toFixed(0)} ms`,
    ];
    process.stdout.write(`${cells.join('')}${isLate ? ' too late' : ''}\n`);
    for (const finding of findings) process.stdout.write(`  ${finding}\n`);
  }
} finally {
  await run.close();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${crashOrder.length} steps, ${failed} with findings\n`);
process.exitCode = failed === 0 ? 0 : 1;

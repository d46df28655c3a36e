import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashOrder, FaultRun, nameOf } from '../../crash/fault-run.ts';
import { runsEveryCase } from '../support/every-case.ts';

/** Steps before the intent, the registry or the dapp is on disk: of an action that dies there nothing is left. */
const isBeforeIntent = (point: string): boolean =>
  /\.(claimed|signed|chunked|begun|stopped|taken|kept)$|^snapshot\.answered$|^(registry|dapp)\.(adding|submitting|updating)$/.test(
    point,
  );

/** Every third, which are some of each action, and both of the recovery. */
const crashes = crashOrder.filter(
  ({ point }, at) => runsEveryCase || at % 3 === 1 || point.startsWith('recovery.'),
);

let folder: string;
let run: FaultRun;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-crash-steps-'));
  run = await FaultRun.start(folder, crashes);
});
afterAll(async () => {
  await run.close();
  await rm(folder, { recursive: true, force: true });
});

test.for(crashes.map((crash) => [nameOf(crash), crash] as const))(
  'killed at %s, the action is done or nothing of it is left, and the books agree',
  async ([, crash]) => {
    const { isDone, findings } = await run.crashAt(crash);
    expect(findings).toEqual([]);
    expect(isDone).toBe(!isBeforeIntent(crash.point));
  },
);

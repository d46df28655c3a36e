// `npm run soak`: two of each role under a load of changes, payments, builds, reads and news, and how what each process holds grows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { auditFleet } from './audit.ts';
import { Crowd } from './crowd.ts';
import { FleetWatch } from './fleet-watch.ts';
import { openScene } from './scene.ts';
import { linesOf, settle } from './settle.ts';

/** Between two looks at what is held, in milliseconds. */
const LOOK_MS = 15_000;
/** Of the time: what is held grows until caches and pools are full. */
const WARM_UP = 1 / 3;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    citizens: { type: 'string', default: '3' },
    payers: { type: 'string', default: '1' },
    visitors: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const minutes = Number(values.minutes);
const temporary = await mkdtemp(join(tmpdir(), 'cannery-soak-'));
try {
  await using scene = await openScene({ TMPDIR: temporary });
  const crowd = await Crowd.enter(scene, {
    citizens: Number(values.citizens),
    payers: Number(values.payers),
    visitors: Number(values.visitors),
    seed: Number(values.seed),
  });
  const watch = new FleetWatch(scene.fleet, scene.folder, temporary);
  crowd.begin();
  for (const end = Date.now() + minutes * 60_000; Date.now() < end && !crowd.isOver; ) {
    await sleep(LOOK_MS);
    const canisters = await scene.db
      .selectFrom('canisters')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    watch.take({ canisters: canisters.count });
    const { done, paid, read } = crowd.figures;
    say(
      `${((end - Date.now()) / 60_000).toFixed(1)} minutes left: ${done} changes, ${paid} payments, ${read} reads`,
    );
  }
  const trends = watch.trends((minutes / 60) * WARM_UP);
  await crowd.end();
  const findings = [...(await settle(scene.db)), ...crowd.findings];
  const { citizens, customers } = crowd;
  const audit = await auditFleet(scene.fleet, { ...scene, citizens, customers });
  findings.push(...audit.findings, ...linesOf(scene.fleet));
  const { refused, silent, ...figures } = crowd.figures;
  const column = (value: number): string => value.toFixed(1).padStart(10);
  say(`${'after the warm-up'.padEnd(32)}     first      last      most  an hour`);
  for (const [what, { first, last, most, perHour }] of Object.entries(trends))
    say(`${what.padEnd(32)}${[first, last, most, perHour].map(column).join('')}`);
  for (const [what, count] of Object.entries({ ...figures, ...audit.runs, ...refused, ...silent }))
    say(`${what.padEnd(50)} ${Math.round(count)}`);
  say(`findings${' '.repeat(43)}${findings.length}`);
  for (const finding of findings.slice(0, 40)) say(finding);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await rm(temporary, { recursive: true, force: true });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../../packages/network/crash/seeded-random.ts';
import { type Fleet, memberNames } from '../../test/roles/fleet.ts';
import { auditFleet, type RunEnds } from './audit.ts';
import { Crowd } from './crowd.ts';
import { openScene } from './scene.ts';
import { linesOf, settle } from './settle.ts';

interface LoadOptions {
  readonly kills: number;
  readonly citizens: number;
  readonly payers: number;
  readonly seed: number;
  /** Whatever may be killed; all where absent. */
  readonly only?: readonly string[];
  /** After a number of minutes no process is killed any more, whatever their number. */
  readonly minutes: number;
  readonly onProgress?: (line: string) => void;
}

/** What is killed: a process of a role, or the database with all its connections. */
const victims = [...memberNames, 'postgres'] as const;
type Victim = (typeof victims)[number];

interface RolesReport {
  readonly kills: Readonly<Record<string, number>>;
  readonly done: number;
  readonly paid: number;
  readonly silent: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly settledMs: number;
  readonly runs: RunEnds;
  readonly findings: readonly string[];
}

/** Moments between a kill, the start after it, and the next one: milliseconds at most. */
const LONGEST_AWAY_MS = 2_000;
const LONGEST_PAUSE_MS = 1_500;

/** Kills processes of a fleet at any moment of a load of changes, then looks for everything that was acknowledged. */
export async function rolesLoad(options: LoadOptions): Promise<RolesReport> {
  const { seed, only, onProgress = () => undefined } = options;
  await using scene = await openScene();
  const { fleet, db, folder } = scene;
  const mortal = victims.filter((name) => only?.includes(name) ?? true);
  const random = seededRandom(seed);
  const crowd = await Crowd.enter(scene, { ...options, visitors: 0 });
  crowd.begin();
  const kills: Record<string, number> = {};
  const end = Date.now() + options.minutes * 60_000;
  for (let number = 1; number <= options.kills && Date.now() < end && !crowd.isOver; number += 1) {
    await sleep(random() * LONGEST_PAUSE_MS);
    const victim = mortal[Math.floor(random() * mortal.length)] ?? 'network';
    const start = performance.now();
    await killOne(fleet, victim, random);
    kills[victim] = (kills[victim] ?? 0) + 1;
    onProgress(`kill ${number}: ${victim}, back after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  await crowd.end();
  const start = performance.now();
  const findings = [...(await settle(db)), ...crowd.findings];
  const settledMs = performance.now() - start;
  const audit = await auditFleet(fleet, { db, folder, citizens: crowd.citizens, customers: crowd.customers });
  findings.push(...audit.findings, ...linesOf(fleet));
  const { done, paid, silent, refused, longestMs } = crowd.figures;
  return { kills, done, paid, silent, refused, longestMs, settledMs, runs: audit.runs, findings };
}

async function killOne({ members, postgres }: Fleet, victim: Victim, random: () => number): Promise<void> {
  const one = victim === 'postgres' ? postgres : members[victim];
  await one.kill();
  await sleep(random() * LONGEST_AWAY_MS);
  await one.start();
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../../packages/network/crash/seeded-random.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/db/tx.ts';
import { type Fleet, memberNames, startFleet } from '../../test/roles/fleet.ts';
import { ApiClient } from '../../test/support/client.ts';
import { type Customer, PayingClient } from '../paying-client.ts';
import { auditFleet, type RunEnds } from './audit.ts';
import { Citizen } from './citizen.ts';

interface LoadOptions {
  readonly kills: number;
  readonly citizens: number;
  readonly payers: number;
  readonly seed: number;
  /** Whatever may be killed; all where absent. */
  readonly only?: readonly string[];
  /** After so many minutes no process is killed any more, whatever their number. */
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
  readonly unanswered: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly settledMs: number;
  readonly runs: RunEnds;
  readonly findings: readonly string[];
}

/** Moments between a kill, the start after it, and the next one: milliseconds at most. */
const LONGEST_AWAY_MS = 2_000;
const LONGEST_PAUSE_MS = 1_500;
/** Heartbeats of workers are missed after 10 s, leases of actions end after 30, lost runs are looked for each 30 after 60. */
const SETTLING_MS = 240_000;
const POLL_MS = 250;

/** Kills processes of a fleet at any moment of a load of changes, then looks for everything that was acknowledged. */
export async function rolesLoad(options: LoadOptions): Promise<RolesReport> {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-crash-roles-'));
  const away = await mkdtemp(join(tmpdir(), 'cannery-crash-users-'));
  await using opened = new AsyncDisposableStack();
  for (const each of [folder, away]) opened.defer(() => rm(each, { recursive: true, force: true }));
  const fleet = await startFleet({
    folder,
    env: {
      NETWORK_FEES: 'free',
      OPENING_BALANCE_T: '100000',
      LOG_LEVEL: 'error',
      RATE_LIMIT: '100000',
      SIGN_IN_LIMIT: '100000',
      PUSHES_PER_MINUTE: '100000',
      SITE_PICTURES: 'off',
      RUST_TOOLCHAIN: 'off',
      SAMPLE_PRODUCTS: 'off',
    },
  });
  opened.defer(() => fleet.close());
  const db = openDatabase({ connectionString: fleet.postgres.url }, 2);
  opened.defer(() => db.destroy());
  return await underLoad({ fleet, db, folder, away }, options);
}

interface Scene {
  readonly fleet: Fleet;
  readonly db: Db;
  readonly folder: string;
  readonly away: string;
}

async function underLoad({ fleet, db, folder, away }: Scene, options: LoadOptions): Promise<RolesReport> {
  const { seed, only, onProgress = () => undefined } = options;
  const mortal = victims.filter((name) => only?.includes(name) ?? true);
  const random = seededRandom(seed);
  const citizens: Citizen[] = [];
  for (let number = 0; number < options.citizens; number += 1) {
    const own = seededRandom(seed * 1000 + number);
    citizens.push(await Citizen.enter(fleet.url, { user: `citizen-${number}`, folder: away, random: own }));
  }
  const customers: Customer[] = [];
  const payers: PayingClient[] = [];
  for (let number = 0; number < options.payers; number += 1) {
    const customer: Customer = { name: `customer-${number}`, canisters: [], intentions: [] };
    const { token } = await ApiClient.signIn(fleet.url, customer.name);
    customers.push(customer);
    const own = seededRandom(seed * 2000 + number);
    const away = ['database_unavailable', 'storage_unavailable'];
    payers.push(new PayingClient(fleet.url, token, customer, own, away));
  }
  let isOver = false;
  const loop = async (step: () => Promise<void>): Promise<void> => {
    while (!isOver) await step();
  };
  const working = Promise.all([
    ...citizens.map(async (citizen) => {
      await citizen.eachOnce();
      await loop(() => citizen.step());
    }),
    ...payers.map((payer) => loop(() => payer.step())),
  ]);
  working.catch(() => {
    isOver = true;
  });
  const kills: Record<string, number> = {};
  const end = Date.now() + options.minutes * 60_000;
  for (let number = 1; number <= options.kills && Date.now() < end && !isOver; number += 1) {
    await sleep(random() * LONGEST_PAUSE_MS);
    const victim = mortal[Math.floor(random() * mortal.length)] ?? 'network';
    const start = performance.now();
    await killOne(fleet, victim, random);
    kills[victim] = (kills[victim] ?? 0) + 1;
    onProgress(`kill ${number}: ${victim}, back after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  isOver = true;
  await working;
  const start = performance.now();
  const findings = [...(await settle(db)), ...payers.flatMap((each) => each.findings)];
  const settledMs = performance.now() - start;
  const audit = await auditFleet(fleet, { db, folder, citizens, customers });
  findings.push(...audit.findings, ...linesOf(fleet));
  const refused: Record<string, number> = {};
  for (const { journal } of citizens)
    for (const [code, count] of Object.entries(journal.refused)) refused[code] = (refused[code] ?? 0) + count;
  const intentions = customers.flatMap((each) => each.intentions);
  return {
    kills,
    done: citizens.reduce((sum, { journal }) => sum + journal.done, 0),
    paid: intentions.filter(({ outcome }) => outcome !== undefined && 'paid' in outcome).length,
    unanswered: [...citizens.map(({ journal }) => journal), ...payers].reduce(
      (sum, each) => sum + each.unanswered,
      0,
    ),
    refused,
    longestMs: Math.max(0, ...citizens.map(({ journal }) => journal.longestMs)),
    settledMs,
    runs: audit.runs,
    findings,
  };
}

async function killOne({ members, postgres }: Fleet, victim: Victim, random: () => number): Promise<void> {
  const one = victim === 'postgres' ? postgres : members[victim];
  await one.kill();
  await sleep(random() * LONGEST_AWAY_MS);
  await one.start();
}

/** Waits until nothing is under way any more. @returns what still is after the longest time */
async function settle(db: Db): Promise<string[]> {
  for (const end = Date.now() + SETTLING_MS; ; await sleep(POLL_MS)) {
    const open = await underWay(db);
    if (open.length === 0 || Date.now() > end) return open;
  }
}

async function underWay(db: Db): Promise<string[]> {
  const intents = await db.selectFrom('intents').select('id').execute();
  const changes = await db
    .selectFrom('canisters')
    .select('id')
    .where('action_id', 'is not', null)
    .where('action_expires_at', '>', new Date())
    .execute();
  const runs = await db
    .selectFrom('deploy_instances')
    .select(['id', 'status'])
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .execute();
  return [
    ...intents.map(({ id }) => `the intent ${id} is open`),
    ...changes.map(({ id }) => `an action is under way on ${id}`),
    ...runs.map(({ id, status }) => `the run ${id} is ${status}`),
  ];
}

/** Lines of the logs that no kill explains. */
function linesOf({ members }: Fleet): string[] {
  return memberNames.flatMap((name) =>
    members[name].output
      .filter((line) => /A call failed unexpectedly|unhandled/i.test(line))
      .map((line) => `${name}: ${line.slice(0, 600)}`),
  );
}

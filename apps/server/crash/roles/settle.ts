import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/db/tx.ts';
import { type Fleet, memberNames } from '../../test/roles/fleet.ts';

/** Heartbeats of workers are missed after 10 s, leases of actions end after 30, lost runs are looked for each 30 after 60. */
const SETTLING_MS = 240_000;
const POLL_MS = 250;

/** Waits until nothing is under way any more. @returns what still is after the longest time */
export async function settle(db: Db): Promise<string[]> {
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
export function linesOf({ members }: Fleet): string[] {
  return memberNames.flatMap((name) =>
    members[name].output
      .filter((line) => /A call failed unexpectedly|unhandled/i.test(line))
      .map((line) => `${name}: ${line.slice(0, 600)}`),
  );
}

import { sql } from 'kysely';
import { hasRoom } from '../data-dir/disk-room.ts';
import { connectionsNow } from '../metrics/pools.ts';
import { sampleQueues } from './database-samples.ts';
import type { WatchedParts } from './parts.ts';
import { type Finding, Probe } from './probe.ts';

/** A job that could have been begun for so long waits too long, in seconds: as long as a build may take. */
const OLD_JOB_SECONDS = 900;
/** No content has this hash that anybody knows: the store is only asked whether it is there. */
const NO_BLOB = '0'.repeat(64);

/** The checks of a process, by name, in the order in which they are told. */
export type Checks = ReadonlyMap<string, Probe>;

/** What can be looked at in this process. */
export function checksOf({ config, db, ic, blobs, workerUp }: WatchedParts): Checks {
  const checks = new Map<string, Probe>();
  checks.set(
    'disk',
    new Probe(async () =>
      (await hasRoom(config.dataDir))
        ? undefined
        : { reason: 'A disk of the data folder is full: less than 2 MiB, or no further file, has room.' },
    ),
  );
  if (db !== undefined) {
    checks.set(
      'database',
      new Probe(async () => {
        await sql`select 1`.execute(db);
        const { waiting } = connectionsNow();
        return waiting === 0
          ? undefined
          : { isWell: true, reason: `${waiting} statements wait for a connection.` };
      }),
    );
  }
  if (ic !== undefined) {
    checks.set(
      'network',
      new Probe(async () =>
        (await ic.isUp()) ? undefined : { reason: 'The IC network does not answer, or not in time.' },
      ),
    );
  }
  if (blobs !== undefined) checks.set('blobs', new Probe(async () => void (await blobs.has(NO_BLOB))));
  if (db !== undefined) {
    checks.set(
      'queue',
      new Probe(async () => {
        const old = (await sampleQueues(db)).find(({ age }) => age > OLD_JOB_SECONDS);
        if (old === undefined) return undefined;
        const reason = `The oldest job of ${old.queue} waits for ${Math.round(old.age)} s.`;
        // Who does no jobs is not the one at fault, and to take it out of service would help nobody.
        return { reason, isWell: workerUp === undefined };
      }),
    );
  }
  if (workerUp !== undefined) {
    checks.set(
      'worker',
      new Probe(async () => (workerUp() ? undefined : { reason: 'The worker takes no jobs any more.' })),
    );
  }
  return checks;
}

/** What all checks find, at the same time. */
export async function findAll(checks: Checks): Promise<Readonly<Record<string, Finding>>> {
  const found = await Promise.all(
    [...checks].map(async ([name, probe]) => [name, await probe.find()] as const),
  );
  return Object.fromEntries(found);
}

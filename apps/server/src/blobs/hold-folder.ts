import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../db/tx.ts';
import type { Logger } from '../log/logger.ts';

/** For so long a folder is a process's without a word from it, in seconds. */
const HELD_S = 15;
const RENEW_MS = 5000;
const LOOK_MS = 500;

/** What has a folder for this process alone. */
interface Hold {
  end(): Promise<void>;
}

/**
 * Takes the folder of blobs for one process: a copy of a data folder carries the same mark. A holder that has died is waited for.
 * @param options.holder tells the folder from its copies; after a crash the same one has it at once
 * @param options.onLost told once when another process has it: what this one goes on to take and delete, the other one misses
 * @returns undefined when another process lives and has it
 */
export async function holdFolder(
  db: Db,
  { holder, log, onLost }: { holder: string; log: Pick<Logger, 'warn'>; onLost: () => void },
): Promise<Hold | undefined> {
  for (let seen: number | undefined; ; ) {
    if (await take(db, holder)) break;
    const until = await heldUntil(db);
    // Its holder has said so again meanwhile: it lives.
    if (until !== undefined && seen !== undefined && until > seen) return undefined;
    seen = until;
    await delay(LOOK_MS);
  }
  let isLost = false;
  const timer = setInterval(() => {
    take(db, holder).then(
      (isHeld) => {
        if (isHeld || isLost) return;
        isLost = true;
        clearInterval(timer);
        onLost();
      },
      (error: unknown) => log.warn({ err: error }, 'the folder of uploads may be taken by another process'),
    );
  }, RENEW_MS);
  return {
    async end() {
      clearInterval(timer);
      // Where the database is away it runs out.
      const release = sql`update blob_place set held_until = null where holder = ${holder}`.execute(db);
      await release.catch(() => undefined);
    },
  };
}

async function take(db: Db, holder: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update blob_place set holder = ${holder}, held_until = now() + make_interval(secs => ${HELD_S})
    where holder is null or holder = ${holder} or held_until is null or held_until < now()`.execute(db);
  return numAffectedRows === 1n;
}

/** Milliseconds since 1970, by the database's clock. */
async function heldUntil(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('blob_place').select('held_until').executeTakeFirst();
  return row?.held_until?.getTime();
}

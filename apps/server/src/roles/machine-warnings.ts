import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AppContext } from '../context.ts';
import { type Repeated, repeat } from '../jobs/repeat.ts';
import { tell } from '../jobs/notices.ts';

/** What a worker has told is old after so long, in seconds: it was killed. */
const TOLD_S = 60;
const RENEW_MS = 20_000;
/** Subject of news of it. */
const MACHINES = 'worker-machines';

type Shared = Pick<AppContext, 'db' | 'log' | 'notices' | 'transact'>;

/** Tells the other processes of the database what the operator should know about the machine of this worker, until it is stopped. */
function tellWarnings({ log, transact }: Shared, warnings: readonly string[]): Repeated {
  const process = randomUUID();
  const renewed = repeat(
    () =>
      transact(async (tx) => {
        const gone = await sql`delete from worker_machines where until < now() returning process`.execute(tx);
        // A row without an older version is new.
        const told = await sql<{ isNew: boolean }>`insert into worker_machines (process, warnings, until)
          values (${process}, ${JSON.stringify(warnings)}::jsonb, now() + make_interval(secs => ${TOLD_S}))
          on conflict (process) do update set until = excluded.until returning xmax = 0 as "isNew"`.execute(
          tx,
        );
        if (gone.rows.length > 0 || told.rows[0]?.isNew === true) await tell(tx, MACHINES);
      }),
    {
      pauseMs: RENEW_MS,
      failed: (error) => log.warn({ err: error }, 'warnings of this machine are told nobody'),
    },
  );
  return {
    async stop() {
      await renewed.stop();
      await transact(async (tx) => {
        await sql`delete from worker_machines where process = ${process}`.execute(tx);
        await tell(tx, MACHINES);
      }).catch((error: unknown) => log.debug({ err: error }, 'warnings of this machine stay for a minute'));
    },
  };
}

/**
 * What workers of other processes tell of their machines: each warning once, in the order of the alphabet; the same array until they change.
 * @throws what the database throws at the first reading
 */
async function watchWarnings(
  { db, log, notices }: Shared,
  started: AsyncDisposableStack,
): Promise<() => readonly string[]> {
  let known: readonly string[] = [];
  const read = async (): Promise<void> => {
    const { rows } = await sql<{ warning: string }>`
      select distinct jsonb_array_elements_text(warnings) as warning from worker_machines
      where until > now() order by warning`.execute(db);
    const next = rows.map(({ warning }) => warning);
    if (JSON.stringify(next) !== JSON.stringify(known)) known = next;
  };
  const look = (): void => {
    read().catch((error: unknown) => log.warn({ err: error }, 'warnings of workers could not be read'));
  };
  started.defer(notices.watch(MACHINES, look));
  // One that was killed tells nothing any more.
  const timer = setInterval(look, TOLD_S * 1000);
  started.defer(() => clearInterval(timer));
  await read();
  return () => known;
}

/**
 * What the operator should know about the machines that build, in a process that shares its database: a worker tells it to the others,
 * a process without one hears it from them. What is begun for it ends with `started`.
 */
export async function sharedWarnings(
  ctx: Shared,
  worker: { readonly warnings: readonly string[] } | undefined,
  started: AsyncDisposableStack,
): Promise<() => readonly string[]> {
  if (worker === undefined) return watchWarnings(ctx, started);
  const telling = tellWarnings(ctx, worker.warnings);
  started.defer(() => telling.stop());
  return () => worker.warnings;
}

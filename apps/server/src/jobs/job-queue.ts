import { fromKysely, type Job, PgBoss } from 'pg-boss';
import type { Connection } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Logger } from '../log/logger.ts';
import { jobsDone, jobsUnderWay } from '../metrics/instruments.ts';
import { currentRequestId, inJob } from '../log/request-context.ts';

/** A kind of work, known to senders and workers alike. */
export interface Queue<T extends object> {
  readonly name: string;
  /** A job that throws, or whose worker dies, is run again this often. */
  readonly retries: number;
  /** Never set; ties the type of a job's data to its queue. */
  readonly data?: T;
}

/** How one kind of work is run. */
export interface Task<T extends object> {
  readonly queue: Queue<T>;
  /** How many jobs of this kind one worker process runs at the same time. */
  readonly concurrency: number;
  /** How many of one tenant run at the same time, in all worker processes together. */
  readonly concurrencyPerTenant?: number;
  /** `signal` fires when another worker has taken the job over. */
  run(data: T, signal: AbortSignal): Promise<void>;
}

/** Where a job is in line. */
interface JobPlace {
  /** Whose it is: see `concurrencyPerTenant`. */
  readonly tenant: string;
  /** Lower ones go first; a whole number below 2^31. */
  readonly turn: number;
}

/** Work that must happen after a commit, kept in the database. */
export interface JobQueue {
  /**
   * Creates or updates the queue's own tables and opens it for sending. Where no other process works on the database, the
   * jobs under way were cut off with an earlier one, and are tried again at once instead of after its missing heartbeat.
   */
  start(options?: { readonly isAlone?: boolean }): Promise<void>;
  /**
   * Sends a job in the caller's transaction: the job exists exactly when the transaction commits. It is recorded with the request
   * that it is sent in, so that what is logged of it has the name of that request.
   */
  send<T extends object>(tx: Tx, queue: Queue<T>, data: T, place?: JobPlace): Promise<void>;
  /** Whether a job with this data is waiting, running or about to be tried again. */
  isOpen<T extends object>(queue: Queue<T>, data: T): Promise<boolean>;
  /** Takes jobs of a task from now on. */
  work<T extends object>(task: Task<T>): Promise<void>;
  /** Stops taking jobs, waits a moment for those under way, and closes the connections. */
  stop(): Promise<void>;
}

/** A worker that has not been heard of for this long is taken for dead, in seconds; pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10;
/** How often dead workers are looked for, in seconds. */
const SUPERVISE_SECONDS = 5;
/** Upper bound of one job, above every limit a job sets itself, in seconds. */
const EXPIRE_SECONDS = 2 * 60 * 60;
/** Jobs are announced by the database; polling is the fall-back, in seconds. */
const POLL_SECONDS = 2;

/** States of a job that will still be run. */
const OPEN_STATES: ReadonlySet<string> = new Set(['created', 'retry', 'active']);
/** How long jobs under way may take to end when the queue is closed, in milliseconds. */
const GRACE_MS = 5_000;

/** What is kept of a try that ended with its process. */
const CUT_OFF = { message: 'The process that ran this job has ended.' };

/** The request that a job was sent in, beside its data. */
const REQUEST = 'request_id';

/** What is recorded with the data of a job. `instanceId` is data of jobs that are of a run. */
interface Recorded {
  readonly [REQUEST]?: string | undefined;
  readonly instanceId?: string | undefined;
}

async function perform<T extends object>(task: Task<T>, { data, signal }: Job<T & Recorded>): Promise<void> {
  const queue = task.queue.name;
  let result = 'failed';
  jobsUnderWay.add(1);
  try {
    const about = { queue, requestId: data[REQUEST], run: data.instanceId };
    await inJob(about, () => task.run(data, signal));
    result = 'done';
  } finally {
    jobsUnderWay.add(-1);
    jobsDone.add({ queue, result });
  }
}

/** Ids of the jobs of a queue that are under way. pg-boss lists no jobs by state, and documents its table for that. */
async function activeJobs(boss: PgBoss, queue: string): Promise<string[]> {
  const text = "select id from pgboss.job where name = $1 and state = 'active'";
  const { rows } = await boss.getDb().executeSql(text, [queue]);
  return rows.map(({ id }: { id: string }) => id);
}

/** Opens the job queue (pg-boss, in a schema beside ours). */
export function createJobQueue(options: {
  connection: Connection;
  log: Logger;
  queues: readonly Queue<object>[];
}): JobQueue {
  const boss = new PgBoss({
    ...options.connection,
    schema: 'pgboss',
    application_name: 'cannery-jobs',
    max: 4,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', (error) => {
    // The driver hangs its whole connection on the error.
    Reflect.deleteProperty(error, 'client');
    options.log.error({ err: error }, 'job queue');
  });
  boss.on('warning', (warning) => options.log.warn({ warning }, 'job queue'));
  return {
    async start({ isAlone = false } = {}) {
      await boss.start();
      for (const queue of options.queues) {
        await boss.createQueue(queue.name, {
          retryLimit: queue.retries,
          retryDelay: 1,
          heartbeatSeconds: HEARTBEAT_SECONDS,
          expireInSeconds: EXPIRE_SECONDS,
          notify: true,
        });
        const cutOff = isAlone ? await activeJobs(boss, queue.name) : [];
        if (cutOff.length > 0) await boss.fail(queue.name, cutOff, CUT_OFF);
      }
    },
    async send(tx, queue, data, place) {
      const order = place === undefined ? {} : { group: { id: place.tenant }, priority: -place.turn };
      const kept = { ...data, [REQUEST]: currentRequestId() };
      await boss.send(queue.name, kept, { db: fromKysely(tx), ...order });
    },
    async isOpen(queue, data) {
      const jobs = await boss.findJobs(queue.name, { data });
      return jobs.some(({ state }) => OPEN_STATES.has(state));
    },
    async work<T extends object>(task: Task<T>) {
      const settings = {
        localConcurrency: task.concurrency,
        ...(task.concurrencyPerTenant === undefined ? {} : { groupConcurrency: task.concurrencyPerTenant }),
        pollingIntervalSeconds: POLL_SECONDS,
        // A job that is tried again is not announced, so polling must not slow down where announcements work.
        notifyPollingIntervalSeconds: POLL_SECONDS,
      };
      await boss.work<T & Recorded>(task.queue.name, settings, async (jobs: Job<T & Recorded>[]) => {
        for (const job of jobs) await perform(task, job);
      });
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: GRACE_MS });
    },
  };
}

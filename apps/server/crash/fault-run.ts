import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/database.ts';
import { embeddedConnection } from '../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../src/db/tx.ts';
import { type FaultPoint, faultPoints } from '../src/fault-points.ts';
import { createIcClient } from '../src/ic/create-ic-client.ts';
import type { IcClient } from '../src/ic/ic-client.ts';
import { loadServerIdentity } from '../src/ic/agent/server-identity.ts';
import { ApiClient } from '../test/support/client.ts';
import { type Program, startNetworkProgram, startProduct } from '../test/support/server-process.ts';
import { actionOf, type Crash, installationInUpgrade, restoringInBack, subjectOf } from './crash-subject.ts';
import { LedgerAudit } from './ledger-audit.ts';

/** What a crash at one step has left. */
export interface Verdict {
  /** Whether the action is done; else nothing of it may be left. */
  readonly isDone: boolean;
  /** Milliseconds from the ready line of the next process until nothing was under way. */
  readonly settledMs: number;
  /** What is half done, paid for and not there, or there and not paid for. */
  readonly findings: readonly string[];
}

const POLL_MS = 20;
const MOST_SETTLING_MS = 30_000;
/** Crashes until the recovery is reached: something must be there to recover. */
const BEFORE_RECOVERY: FaultPoint = 'topup.intended';

/** The others are for tests of uploads and of deploys, which need a worker. */
const steps = faultPoints.filter((point) => !/^(?:upload|collect|deploy)\./.test(point));

const crashes: readonly Crash[] = [
  ...steps.map((point) => ({ point, action: actionOf(firstStop(point)) })),
  ...installationInUpgrade,
  ...restoringInBack,
];

/** Steps that a process comes upon that ends what another one has left. */
const endings = /^recovery\.|^delete\.(?:owned|halted)$|\.(?:booking|started)$/;

/**
 * Every step of an action, in an order in which the process that mends one does not come upon the next: what mends, books
 * and starts as well, so the steps of that come last, each after one whose mending is of another kind.
 */
export const crashOrder: readonly Crash[] = [
  ...crashes.filter(({ point }) => !endings.test(point)),
  ...crashes.filter(({ point, action }) => point.endsWith('.booking') && action !== 'upgrade'),
  ...crashes.filter(({ point }) => point.endsWith('.started')),
  ...crashes.filter(({ point }) => point === 'delete.owned'),
  ...crashes.filter(({ point, action }) => point.endsWith('.booking') && action === 'upgrade'),
  ...crashes.filter(({ point }) => point === 'delete.halted'),
  ...crashes.filter(({ point }) => point.startsWith('recovery.')),
];

/** What a step is called in a report. */
export function nameOf({ point, action }: Crash): string {
  return point.startsWith('recovery.') || actionOf(point) === action ? point : `${action}: ${point}`;
}

/** The product on a network that outlives it, killed at one step after the other. */
export class FaultRun {
  readonly #folder: string;
  readonly #network: Program;
  #product: Program;
  #armed: FaultPoint;
  readonly #token: string;
  readonly #order: readonly Crash[];
  #db: Db;
  readonly #ic: IcClient;

  private constructor(
    parts: { folder: string; network: Program; product: Program; token: string; ic: IcClient },
    order: readonly Crash[],
    armed: FaultPoint,
  ) {
    this.#folder = parts.folder;
    this.#network = parts.network;
    this.#product = parts.product;
    this.#token = parts.token;
    this.#ic = parts.ic;
    this.#order = order;
    this.#armed = armed;
    this.#db = booksOf(parts.folder);
  }

  /** @param order the steps of the run: the process that mends one is made to die at the next */
  static async start(folder: string, order: readonly Crash[]): Promise<FaultRun> {
    const network = await startNetworkProgram(join(folder, 'network'));
    const armed = firstStop(order[0]?.point);
    const product = await launch(folder, network.url, armed);
    const { token } = await ApiClient.signIn(product.url, 'ada');
    const identity = await loadServerIdentity(dataDirOf(folder));
    const ic = createIcClient({ icUrl: network.url, identity });
    return new FaultRun({ folder, network, product, token, ic }, order, armed);
  }

  /** Crashes at the next step of the run and lets another process mend that. */
  async crashAt(crash: Crash): Promise<Verdict> {
    const { point } = crash;
    if (this.#armed !== firstStop(point)) await this.#arm(point);
    const api = new ApiClient(this.#product.url, this.#token);
    const subject = await subjectOf(crash, { api, ic: this.#ic, books: this.#db });
    await subject.act().catch(() => {});
    await this.#died();
    if (firstStop(point) !== point) await this.#dieAgain(point);
    this.#armed = firstStop(this.#order[this.#order.indexOf(crash) + 1]?.point);
    await this.#db.destroy();
    this.#product = await launch(this.#folder, this.#network.url, this.#armed);
    this.#db = booksOf(this.#folder);
    const settledMs = await this.#settled();
    const { isDone, findings } = await subject.look({
      books: this.#db,
      api: new ApiClient(this.#product.url, this.#token),
    });
    const audit = await LedgerAudit.run(this.#db, this.#ic, { customers: [], idsBeyond: 2 });
    return { isDone, settledMs, findings: [...findings, ...audit.findings] };
  }

  async close(): Promise<void> {
    await this.#db.destroy();
    await this.#product.kill('SIGKILL');
    await this.#network.kill('SIGTERM');
  }

  /** Where a run leaves steps out, the process waits for another one. */
  async #arm(point: FaultPoint): Promise<void> {
    await this.#product.kill('SIGTERM');
    await this.#db.destroy();
    this.#armed = firstStop(point);
    this.#product = await launch(this.#folder, this.#network.url, this.#armed);
    this.#db = booksOf(this.#folder);
  }

  /** The process must have ended itself, at the step that it was to end at. */
  async #died(): Promise<void> {
    const { child } = this.#product;
    if (child.exitCode === null && child.signalCode === null) {
      await Promise.race([once(child, 'exit'), sleep(MOST_SETTLING_MS, undefined, { ref: false })]);
    }
    if (child.signalCode === 'SIGKILL') return;
    throw new Error(`The step ${this.#armed} was never reached. ${this.#product.output.join('\n')}`);
  }

  /** The process that recovers dies as well. */
  async #dieAgain(point: FaultPoint): Promise<void> {
    this.#armed = point;
    try {
      this.#product = await launch(this.#folder, this.#network.url, point);
    } catch {
      // It may end before it is ready.
      return;
    }
    await this.#died();
  }

  async #settled(): Promise<number> {
    const start = performance.now();
    for (;;) {
      const open = await this.#db.selectFrom('intents').select('id').execute();
      const leased = await this.#db
        .selectFrom('canisters')
        .select('id')
        .where('action_id', 'is not', null)
        .execute();
      const changing = await this.#db.selectFrom('code_changes').select('canister_id').execute();
      const ms = performance.now() - start;
      if (open.length + leased.length + changing.length === 0) return ms;
      if (ms > MOST_SETTLING_MS) throw new Error(`After ${this.#armed} something is still under way.`);
      await sleep(POLL_MS);
    }
  }
}

/** Where the process first dies on the way to a step. */
function firstStop(point: FaultPoint | undefined): FaultPoint {
  return point === undefined || point.startsWith('recovery.') ? BEFORE_RECOVERY : point;
}

function dataDirOf(folder: string): string {
  return join(folder, 'data');
}

function booksOf(folder: string): Db {
  return openDatabase(embeddedConnection(dataDirOf(folder)), 1);
}

function launch(folder: string, networkUrl: string, point: FaultPoint): Promise<Program> {
  return startProduct({
    DATA_DIR: dataDirOf(folder),
    IC_URL: networkUrl,
    WORKER: 'off',
    NODE_ENV: 'test',
    FAULT_POINT: point,
    OPENING_BALANCE_T: '300',
  });
}

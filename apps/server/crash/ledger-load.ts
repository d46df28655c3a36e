import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Product, signIn, startProduct } from '@cannery/dev-env';
import { seededRandom } from '../../../packages/network/crash/seeded-random.ts';
import { openDatabase } from '../src/db/database.ts';
import { embeddedConnection } from '../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../src/db/tx.ts';
import { createIcClient } from '../src/ic/create-ic-client.ts';
import type { IcClient } from '../src/ic/ic-client.ts';
import { loadServerIdentity } from '../src/ic/agent/server-identity.ts';
import { LedgerAudit } from './ledger-audit.ts';
import { type Customer, PayingClient } from './paying-client.ts';

export interface LoadOptions {
  readonly operations: number;
  readonly clients: number;
  readonly users: number;
  /** How often something is killed in the middle. */
  readonly kills: number;
  readonly seed: number;
  /** After this no operation is begun any more, whatever their number. */
  readonly minutes: number;
  /** Whether the cycles ledger of the network pays; else cycles come from nothing. */
  readonly cyclesLedger?: boolean;
  /** Told how far the run is. */
  readonly onProgress?: (line: string) => void;
}

/** What is killed: the server with its database, the network that it runs, or all of them. */
export type Victim = 'server' | 'network' | 'both';

export interface LoadReport {
  readonly operations: number;
  readonly created: number;
  readonly toppedUp: number;
  /** Refusals by their code. */
  readonly refused: Readonly<Record<string, number>>;
  readonly unanswered: number;
  readonly undecided: number;
  readonly kills: Readonly<Record<Victim, number>>;
  /** Milliseconds from the ready line after a kill until nothing of before it was open, of each kill of the server. */
  readonly settledMs: readonly number[];
  /** Milliseconds that the clients were at work, kills included. */
  readonly elapsedMs: number;
  readonly audit: LedgerAudit;
  readonly findings: readonly string[];
}

const CYCLES_LEDGER = 'um5iw-rqaaa-aaaaq-qaaba-cai';
/** What that ledger takes for each payment. */
const LEDGER_FEE = 100_000_000n;
/** About two thirds of what the clients of a user would like to spend, so that in the end refusals come. */
const BUDGET_T_PER_OPERATION = 0.65;
const NETWORK_SHARE = 0.15;
const BOTH_SHARE = 0.3;
const LONGEST_WAIT_MS = 400;
const POLL_MS = 25;
/** After this nothing of before a kill may be open any more. */
const MOST_SETTLING_MS = 30_000;

class LoadRun {
  readonly #options: LoadOptions;
  readonly #product: Product;
  readonly #db: Db;
  readonly #random: () => number;
  readonly #customers: Customer[] = [];
  readonly #clients: PayingClient[] = [];
  readonly #kills: Record<Victim, number> = { server: 0, network: 0, both: 0 };
  readonly #settledMs: number[] = [];
  readonly #findings: string[] = [];
  /** Of the console in the cycles ledger. */
  #opening = 0n;
  #begun = 0;
  #done = 0;
  #start = performance.now();

  constructor(options: LoadOptions, product: Product) {
    this.#options = options;
    this.#product = product;
    this.#random = seededRandom(options.seed);
    this.#db = openDatabase(embeddedConnection(product.dataDir), 2);
  }

  async run(): Promise<LoadReport> {
    try {
      await this.#enter();
      this.#start = performance.now();
      const working = Promise.all(this.#clients.map((client) => this.#work(client)));
      await Promise.all([working, this.#killAll()]);
      const elapsedMs = performance.now() - this.#start;
      await this.#settled(Date.now());
      return await this.#report(elapsedMs);
    } finally {
      await this.#db.destroy();
    }
  }

  /** Signs everybody in. */
  async #enter(): Promise<void> {
    const { users, clients, seed } = this.#options;
    const tokens: string[] = [];
    this.#opening = (await (await this.#console()).ledgerBalance()) ?? 0n;
    for (let user = 0; user < users; user += 1) {
      const name = `customer-${user}`;
      tokens.push(await signIn(this.#product.url, name));
      this.#customers.push({ name, canisters: [], intentions: [] });
    }
    for (let client = 0; client < clients; client += 1) {
      const customer = this.#customers[client % users];
      if (customer === undefined) throw new Error('There must be a user for each client.');
      const random = seededRandom(seed * 1000 + client);
      this.#clients.push(new PayingClient(this.#product.url, tokens[client % users] ?? '', customer, random));
    }
  }

  /** The part of the run that is over: of the operations or of the time, whichever is more. */
  #progress(done: number): number {
    const { operations, minutes } = this.#options;
    return Math.max(done / operations, (performance.now() - this.#start) / (minutes * 60_000));
  }

  async #work(client: PayingClient): Promise<void> {
    while (this.#progress(this.#begun) < 1) {
      this.#begun += 1;
      await client.step();
      this.#done += 1;
      if (this.#done % 1000 === 0) this.#options.onProgress?.(`${this.#done} operations`);
    }
  }

  /**
   * Spreads the kills evenly over the run, each a random moment after its turn has come, and after a quarter of the
   * clients has got something done since the one before.
   */
  async #killAll(): Promise<void> {
    const { kills, clients } = this.#options;
    let doneBefore = 0;
    const isDue = (share: number): boolean =>
      this.#progress(this.#done) >= 1 ||
      (this.#progress(this.#done) >= share && this.#done >= doneBefore + clients / 4);
    for (let done = 1; done <= kills; done += 1) {
      while (!isDue(done / (kills + 1))) await sleep(POLL_MS);
      if (this.#progress(this.#done) >= 1) return;
      await sleep(this.#random() * LONGEST_WAIT_MS);
      doneBefore = this.#done;
      await this.#kill(done);
    }
  }

  async #kill(number: number): Promise<void> {
    const chance = this.#random();
    const victim = chance < NETWORK_SHARE ? 'network' : chance < BOTH_SHARE ? 'both' : 'server';
    if (victim !== 'server') await this.#product.killNetwork();
    const killedAt = Date.now();
    if (victim !== 'network') {
      await this.#product.kill();
      await this.#product.restart();
    }
    this.#kills[victim] += 1;
    const ms = await this.#settled(killedAt);
    if (victim !== 'network') this.#settledMs.push(ms);
    this.#options.onProgress?.(
      `kill ${number} (${victim}) after ${this.#done} operations, settled in ${ms.toFixed(0)} ms`,
    );
  }

  /** Waits until nothing of before a moment is open; answers how long that took. */
  async #settled(moment: number): Promise<number> {
    const start = performance.now();
    for (;;) {
      const open = await this.#openBefore(moment);
      const ms = performance.now() - start;
      if (open === 0) return ms;
      if (ms > MOST_SETTLING_MS) {
        this.#findings.push(`${open ?? 'unknown'} intents are open ${ms.toFixed(0)} ms after a kill`);
        return ms;
      }
      await sleep(POLL_MS);
    }
  }

  /** Undefined when a connection of before the kill is found to be dead; the next question opens a new one. */
  async #openBefore(moment: number): Promise<number | undefined> {
    const rows = await this.#db
      .selectFrom('intents')
      .select('id')
      .where('created_at', '<', new Date(moment))
      .execute()
      .catch(() => undefined);
    return rows?.length;
  }

  /** The network as the console reaches it. */
  async #console(): Promise<IcClient> {
    return createIcClient({
      icUrl: this.#product.networkUrl,
      identity: await loadServerIdentity(this.#product.dataDir),
      cyclesLedger: this.#options.cyclesLedger ? CYCLES_LEDGER : undefined,
    });
  }

  async #report(elapsedMs: number): Promise<LoadReport> {
    const ic = await this.#console();
    const audit = await LedgerAudit.run(this.#db, ic, {
      customers: this.#customers,
      idsBeyond: this.#options.clients + 1,
      fee: this.#options.cyclesLedger ? LEDGER_FEE : 0n,
    });
    const left = await ic.ledgerBalance();
    if (left !== undefined && this.#opening - left !== audit.paid)
      this.#findings.push(`the cycles ledger took ${this.#opening - left}, by the books ${audit.paid}`);
    const intentions = this.#customers.flatMap((customer) => customer.intentions);
    const refused: Record<string, number> = {};
    let [created, toppedUp] = [0, 0];
    for (const { outcome, canisterId } of intentions) {
      if (outcome === undefined) this.#findings.push('an intention has no outcome');
      else if ('refused' in outcome) refused[outcome.refused] = (refused[outcome.refused] ?? 0) + 1;
      else if (canisterId === undefined) created += 1;
      else toppedUp += 1;
    }
    return {
      operations: intentions.length,
      created,
      toppedUp,
      refused,
      unanswered: this.#clients.reduce((sum, { unanswered }) => sum + unanswered, 0),
      undecided: this.#clients.reduce((sum, { undecided }) => sum + undecided, 0),
      kills: this.#kills,
      settledMs: this.#settledMs,
      elapsedMs,
      audit,
      findings: [...this.#findings, ...this.#clients.flatMap(({ findings }) => findings), ...audit.findings],
    };
  }
}

/** Runs in a temporary folder on the real product, whose network charges nothing. */
export async function ledgerLoad(options: LoadOptions): Promise<LoadReport> {
  const budget = Math.ceil((options.operations / options.users) * BUDGET_T_PER_OPERATION);
  const product = await startProduct({
    env: {
      NETWORK_FEES: 'free',
      WORKER: 'off',
      OPENING_BALANCE_T: String(budget),
      LOG_LEVEL: 'error',
      RATE_LIMIT: '100000',
      SIGN_IN_LIMIT: '100000',
      ...(options.cyclesLedger && {
        NETWORK_SERVICES: 'cycles-ledger',
        NETWORK_PROVISIONAL: 'console',
        CYCLES_LEDGER,
      }),
    },
  });
  try {
    return await new LoadRun(options, product).run();
  } finally {
    await product.dispose();
  }
}

function print(report: LoadReport): void {
  const { audit, kills, findings, settledMs } = report;
  const settled = settledMs.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    settled.length === 0 ? '-' : `${settled[Math.floor((settled.length - 1) * share)]?.toFixed(0)} ms`;
  const rows: [string, string | number | bigint][] = [
    ['operations', report.operations],
    ['created', report.created],
    ['topped up', report.toppedUp],
    ...Object.entries(report.refused).map(([code, count]): [string, number] => [`refused: ${code}`, count]),
    ['requests without an answer', report.unanswered],
    ['requests to be sent again', report.undecided],
    ['kills of the server', kills.server],
    ['kills of the network', kills.network],
    ['kills of both', kills.both],
    ['settled after a start, median', at(0.5)],
    ['settled after a start, longest', at(1)],
    ['seconds', (report.elapsedMs / 1000).toFixed(1)],
    ['operations a second', (report.operations / (report.elapsedMs / 1000)).toFixed(1)],
    ['lines of the history', audit.lines],
    ['canisters', audit.canisters],
    ['cycles on canisters', audit.onCanisters],
    ['findings', findings.length],
  ];
  for (const [what, value] of rows) process.stdout.write(`${what.padEnd(34)}${value}\n`);
  for (const finding of findings.slice(0, 20)) process.stdout.write(`${finding}\n`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      operations: { type: 'string', default: '10000' },
      clients: { type: 'string', default: '64' },
      users: { type: 'string', default: '8' },
      kills: { type: 'string', default: '0' },
      minutes: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      'cycles-ledger': { type: 'boolean', default: false },
    },
  });
  const report = await ledgerLoad({
    operations: Number(values.operations),
    clients: Number(values.clients),
    users: Number(values.users),
    kills: Number(values.kills),
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    cyclesLedger: values['cycles-ledger'],
    onProgress: (line) => process.stdout.write(`${line}\n`),
  });
  print(report);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
}

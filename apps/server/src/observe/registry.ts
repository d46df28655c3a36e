import { statfs } from 'node:fs/promises';
import type { Gauge, Registry } from 'prom-client';
import { type MetricsLibrary, showInstruments } from '../metrics/instrument.ts';
import { connectionsNow } from '../metrics/pools.ts';
import { type Checks, findAll } from './checks.ts';
import { samplePayments, sampleQueues, sampleRuns } from './database-samples.ts';
import type { WatchedParts } from './parts.ts';
import { Sampled } from './sampled.ts';

/** How often what costs a statement is read, in milliseconds, however often it is scraped. */
const SAMPLE_MS = 5_000;
/** The cycles ledger is a canister elsewhere, and cycles go slowly. */
const LEDGER_MS = 60_000;
const VERSION = '1.0.0';

type Set = (labels: Record<string, string>, value: number) => void;

/** All metrics of this process but those of the embedded network. */
export function fillRegistry(
  library: MetricsLibrary,
  registry: Registry,
  { config, db, ic }: Pick<WatchedParts, 'config' | 'db' | 'ic'>,
  checks: Checks,
): void {
  /** A metric that is found out when it is asked for; one without values was not to be had. */
  const gauge = (
    about: { name: string; help: string; labels?: readonly string[] },
    read: (set: Set) => Promise<void>,
  ): void => {
    new library.Gauge({
      name: about.name,
      help: about.help,
      labelNames: about.labels ?? [],
      registers: [registry],
      async collect(this: Gauge) {
        this.reset();
        // Without labels it would be 0 from the start.
        if ((about.labels ?? []).length === 0) this.remove();
        await read((labels, value) => this.set(labels, value));
      },
    });
  };

  library.collectDefaultMetrics({ register: registry });
  showInstruments(library, registry);
  gauge(
    { name: 'cannery_build_info', help: 'Which server this is: always 1.', labels: ['version', 'node'] },
    async (set) => set({ version: VERSION, node: process.version }, 1),
  );
  gauge(
    { name: 'cannery_ready', help: 'What /ready finds, by check: 1 when it is well.', labels: ['check'] },
    async (set) => {
      for (const [check, { ok }] of Object.entries(await findAll(checks))) set({ check }, Number(ok));
    },
  );
  gauge(
    {
      name: 'cannery_database_connections',
      help: 'Connections of this process to the database: used or idle, and what is waiting for one.',
      labels: ['state'],
    },
    async (set) => {
      for (const [state, count] of Object.entries(connectionsNow())) set({ state }, count);
    },
  );
  const disk = new Sampled(SAMPLE_MS, () => statfs(config.dataDir));
  gauge(
    { name: 'cannery_disk_free_bytes', help: 'Free bytes of the disk of the data folder.' },
    async (set) => {
      const found = await disk.get();
      if (found !== undefined) set({}, found.bavail * found.bsize);
    },
  );
  gauge({ name: 'cannery_disk_size_bytes', help: 'Size of the disk of the data folder.' }, async (set) => {
    const found = await disk.get();
    if (found !== undefined) set({}, found.blocks * found.bsize);
  });
  if (db !== undefined) {
    const queues = new Sampled(SAMPLE_MS, () => sampleQueues(db));
    gauge(
      {
        name: 'cannery_queue_jobs',
        help: 'Jobs of a queue that wait or are under way, in all processes.',
        labels: ['queue', 'state'],
      },
      async (set) => {
        for (const { queue, waiting, active } of (await queues.get()) ?? []) {
          set({ queue, state: 'waiting' }, waiting);
          set({ queue, state: 'active' }, active);
        }
      },
    );
    gauge(
      {
        name: 'cannery_queue_age_seconds',
        help: 'For how long the oldest job of a queue could have been begun already.',
        labels: ['queue'],
      },
      async (set) => {
        for (const { queue, age } of (await queues.get()) ?? []) set({ queue }, age);
      },
    );
    const runs = new Sampled(SAMPLE_MS, () => sampleRuns(db));
    gauge(
      {
        name: 'cannery_runs_open',
        help: 'Runs of deploys that are not over, in all processes, by status.',
        labels: ['status'],
      },
      async (set) => {
        const found = await runs.get();
        for (const status of ['SCHEDULED', 'RUNNING'] as const)
          if (found !== undefined) set({ status }, found.find((run) => run.status === status)?.runs ?? 0);
      },
    );
    gauge(
      {
        name: 'cannery_run_age_seconds',
        help: 'Age of the oldest run that is not over, by status.',
        labels: ['status'],
      },
      async (set) => {
        for (const { status, age } of (await runs.get()) ?? []) set({ status }, age);
      },
    );
    const payments = new Sampled(SAMPLE_MS, () => samplePayments(db));
    gauge(
      {
        name: 'cannery_payments_open',
        help: 'Payments and other actions at the network, in all processes: open (under way), or uncertain (they wait for the operator).',
        labels: ['state'],
      },
      async (set) => {
        const found = await payments.get();
        if (found === undefined) return;
        set({ state: 'open' }, found.open);
        set({ state: 'uncertain' }, found.uncertain);
      },
    );
    gauge(
      { name: 'cannery_payment_age_seconds', help: 'Age of the oldest payment or action that is under way.' },
      async (set) => {
        const found = await payments.get();
        if (found !== undefined) set({}, found.age);
      },
    );
  }
  if (ic !== undefined) {
    const ledger = new Sampled(LEDGER_MS, () => ic.ledgerBalance());
    gauge(
      {
        name: 'cannery_ledger_balance_cycles',
        help: 'Cycles that this console has in the cycles ledger, where one pays.',
      },
      async (set) => {
        const balance = await ledger.get();
        if (balance !== undefined) set({}, Number(balance));
      },
    );
  }
}

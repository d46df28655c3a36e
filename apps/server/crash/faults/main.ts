import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../../../packages/network/crash/seeded-random.ts';
import { ApiClient } from '../../test/support/client.ts';
import { type Customer, PayingClient } from '../paying-client.ts';
import { auditScene } from './audit.ts';
import { kinds } from './kinds.ts';
import { openScene, type Scene } from './scene.ts';
import { crowd } from './tenant.ts';
import { TYPED, WorkingClient } from './work.ts';

interface FaultOptions {
  readonly kind: string;
  /** How often each fault of the kind happens. */
  readonly rounds: number;
  readonly payers: number;
  readonly workers: number;
  readonly seed: number;
  readonly onProgress?: (line: string) => void;
}

interface FaultReport {
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>;
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly unanswered: number;
  readonly longestMs: number;
  readonly findings: readonly string[];
}

const SETTLING_MS = 60_000;
const PAUSE_MS = 600;

/** Lets faults of one kind happen to a product that works, then looks for everything that it has acknowledged. */
async function runFaults(options: FaultOptions): Promise<FaultReport> {
  const scene = await openScene(options.kind);
  try {
    return await inScene(scene, options);
  } finally {
    await scene.close();
  }
}

async function inScene(scene: Scene, options: FaultOptions): Promise<FaultReport> {
  const { kind, rounds, seed, onProgress } = options;
  const random = seededRandom(seed);
  const { payers, workers, customers } = await enter(scene, options);
  let isOver = false;
  const loop = async (step: () => Promise<unknown>): Promise<void> => {
    while (!isOver) await step();
  };
  const working = Promise.all([...payers, ...workers].map((client) => loop(() => client.step())));
  // Awaited below; the scene is to be closed whatever comes of it.
  working.catch(() => undefined);
  const happened: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const fault of kinds[kind] ?? []) {
      await sleep(PAUSE_MS * random());
      await fault.run(scene, random);
      happened[fault.name] = (happened[fault.name] ?? 0) + 1;
      onProgress?.(`round ${round + 1}: ${fault.name}`);
    }
  }
  isOver = true;
  await working;
  const findings = [...(await settle(scene)), ...payers.flatMap((client) => client.findings)];
  const { exitCode, signalCode } = scene.product.child;
  if (exitCode !== null || signalCode !== null)
    findings.push(`the product has ended: ${exitCode ?? signalCode}`);
  const journals = workers.map(({ journal }) => journal);
  findings.push(...workers.flatMap((client) => client.findings));
  findings.push(
    ...(await auditScene(scene, {
      customers,
      journals,
      kind,
      idsBeyond: payers.length + workers.length + 1,
    })),
  );
  const unexpected = scene.product.output.filter((line) =>
    /A call failed unexpectedly|unhandled/i.test(line),
  );
  findings.push(...unexpected.map((line) => `the log: ${line.slice(0, 600)}`));
  const refused: Record<string, number> = {};
  for (const one of workers)
    for (const [code, count] of Object.entries(one.refused)) refused[code] = (refused[code] ?? 0) + count;
  const paid = customers
    .flatMap(({ intentions }) => intentions)
    .filter(({ outcome }) => outcome !== undefined && 'paid' in outcome);
  return {
    faults: happened,
    done: workers.reduce((sum, { done }) => sum + done, paid.length),
    refused,
    unanswered: payers.reduce((sum, client) => sum + client.unanswered, 0),
    longestMs: Math.max(...workers.map(({ longestMs }) => longestMs)),
    findings,
  };
}

async function enter(scene: Scene, { payers: paying, workers: atWork, seed }: FaultOptions) {
  const { url } = scene.product;
  const payers: PayingClient[] = [];
  const workers: WorkingClient[] = [];
  const customers: Customer[] = [];
  for (let number = 0; number < paying; number += 1) {
    const customer: Customer = { name: `customer-${number}`, canisters: [], intentions: [] };
    const { token } = await ApiClient.signIn(url, customer.name);
    customers.push(customer);
    payers.push(new PayingClient(url, token, customer, seededRandom(seed * 1000 + number), TYPED));
  }
  for (let number = 0; number < atWork; number += 1) {
    const user = `worker-${number}`;
    const { token } = await ApiClient.signIn(url, user);
    const worker = new WorkingClient(url, token, { user, folder: scene.away });
    await worker.begin();
    workers.push(worker);
  }
  return { payers, workers, customers };
}

/** Waits until nothing is under way any more. @returns what still is */
async function settle({ db }: Scene): Promise<string[]> {
  for (const start = performance.now(); ; await sleep(200)) {
    const open = await db
      .selectFrom('intents')
      .select('id')
      .execute()
      .catch(() => undefined);
    const leased = await db
      .selectFrom('canisters')
      .select('id')
      .where('action_id', 'is not', null)
      .execute()
      .catch(() => undefined);
    if (open?.length === 0 && leased?.length === 0) return [];
    if (performance.now() - start > SETTLING_MS)
      return [`${open?.length} intents and ${leased?.length} actions are open a minute after the last fault`];
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      kind: { type: 'string', default: 'postgres' },
      rounds: { type: 'string', default: '3' },
      payers: { type: 'string', default: '4' },
      workers: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.kind === 'tenant') {
    process.exitCode = (await crowd((line) => process.stdout.write(`${line}\n`))) ? 0 : 1;
  } else if (kinds[values.kind] === undefined) {
    process.stderr.write(`--kind is one of ${Object.keys(kinds).join(', ')}, tenant.\n`);
    process.exitCode = 2;
  } else {
    const report = await runFaults({
      kind: values.kind,
      rounds: Number(values.rounds),
      payers: Number(values.payers),
      workers: Number(values.workers),
      seed: Number(values.seed),
      onProgress: (line) => process.stdout.write(`${line}\n`),
    });
    process.stdout.write(
      `${JSON.stringify({ ...report, findings: report.findings.length }, undefined, 1)}\n`,
    );
    for (const finding of report.findings.slice(0, 30)) process.stdout.write(`${finding}\n`);
    process.exitCode = report.findings.length === 0 ? 0 : 1;
  }
}

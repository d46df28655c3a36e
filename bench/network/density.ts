import { rmSync } from 'node:fs';
import { Principal } from '@icp-sdk/core/principal';
import { LeanCall } from '../../packages/network/crash/lean-call.ts';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { compileMotoko } from '../../packages/network/test/compile-motoko.ts';
import { COUNTER_SOURCE } from '../../packages/network/test/canisters/counter.ts';
import { EMPTY, TestClient } from '../../packages/replica/test/engine-client.ts';
import { FILLED_WAT, fillArgument } from '../../packages/network/test/canisters/filled-canister.ts';
import { wat } from '../../packages/wasm/test/text-format.ts';
import { type Figure, quantile, type Section, spreadOf } from '../figures.ts';
import { useAllCores } from '../pinned.ts';
import { startNetwork } from './network-process.ts';

const MIB = 1024 ** 2;
const CANISTERS = 20_000;
const WITH_CODE = 2_000;
const CREATE_GOAL_S = 60;
const WAKE_GOAL_MS = 60;
const START_GOAL_MS = 2_000;
const FEW = 300;
const FEW_GOAL_MIB = 600;
/** Calls under way at a time, through agents and straight into the engine. */
const AGENT_CALLS = 8;
const ENGINE_CALLS = 200;
/** Every this many canisters with code one has the largest heap, the others 1 MiB. */
const LARGE_EVERY = 50;
const LARGE_BYTES = 16 * MIB;

/** How many canisters one network holds, and what it costs to bring back those that were unloaded. */
export const density: Section = {
  title: 'Many canisters',
  async run(report) {
    await few(report);
    await many(report);
  },
};

/** Half of them Motoko counters, half with a heap of 1 MiB; each is called once. */
async function few(report: (figure: Figure) => void): Promise<void> {
  await using network = await startNetwork();
  const agent = await connect(network.url);
  const before = network.rssMib();
  const counter = compileMotoko(COUNTER_SOURCE);
  const filled = wat(FILLED_WAT);
  const numbers = Array.from({ length: FEW }, (_, number) => number);
  await forEach(numbers, AGENT_CALLS, async (number) => {
    const isFilled = number % 2 === 0;
    const canister = await deploy(agent, isFilled ? filled : counter);
    const call = isFilled
      ? new LeanCall(canister, 'fill', fillArgument(number, MIB))
      : new LeanCall(canister, 'inc', EMPTY);
    await call.send(network.url);
  });
  report({
    what: `${FEW} canisters, all called: memory of the process`,
    unit: 'MiB',
    spread: one(network.rssMib()),
    goal: { atMost: FEW_GOAL_MIB },
    note: `${Math.round(before)} MiB without canisters`,
  });
}

/** In this process, without HTTP: more canisters with code than fit the memory that is kept loaded. */
async function many(report: (figure: Figure) => void): Promise<void> {
  useAllCores();
  const client = await TestClient.start({}, true);
  try {
    const rssBefore = process.memoryUsage().rss;
    const ids: Uint8Array[] = [];
    const createSeconds = await seconds(() =>
      forEach(Array.from({ length: CANISTERS }), ENGINE_CALLS, async () => {
        ids.push(await client.create());
      }),
    );
    report({
      what: `${CANISTERS} canisters created`,
      unit: 's',
      spread: one(createSeconds),
      goal: { atMost: CREATE_GOAL_S },
    });
    const empty = (process.memoryUsage().rss - rssBefore) / CANISTERS / 1024;
    report({ what: 'memory for each of them', unit: 'KiB', spread: one(empty) });

    const coded = ids.slice(0, WITH_CODE);
    const module = wat(FILLED_WAT);
    const answers = new Map<Uint8Array, string>();
    const fillSeconds = await seconds(() =>
      forEach(coded, ENGINE_CALLS, async (id, index) => {
        await client.install(id, module);
        await client.update(id, 'fill', fillArgument(index + 1, heapBytes(index)));
        answers.set(id, await answerOf(client, id));
      }),
    );
    report({
      what: `code into ${WITH_CODE} of them, an update and a query each`,
      unit: 's',
      spread: one(fillSeconds),
    });
    const rss = process.memoryUsage().rss / MIB;
    report({
      what: 'memory of the process then',
      unit: 'MiB',
      spread: one(rss),
      note: 'the driver of the measurement included',
    });
    wakes(report, 'unloaded for others', await ask(client, shuffled(coded), answers));
    await client.close();
    report({
      what: `start with ${CANISTERS} canisters: until the whole state is certified`,
      unit: 'ms',
      spread: one(1_000 * (await seconds(() => client.open()))),
      goal: { atMost: START_GOAL_MS },
    });
    wakes(report, 'after a start', await ask(client, shuffled(coded).slice(0, WITH_CODE / 2), answers));
  } finally {
    await client.close();
    rmSync(client.configuration.dataDir, { recursive: true, force: true });
  }
}

function wakes(report: (figure: Figure) => void, when: string, samples: readonly number[]): void {
  report({
    what: `query of a canister that was not loaded, ${when}: p99 of ${samples.length}`,
    unit: 'ms',
    spread: one(quantile(samples, 0.99)),
    goal: { atMost: WAKE_GOAL_MS },
  });
  report({ what: 'the same, all of them', unit: 'ms', spread: spreadOf(samples) });
}

/** Milliseconds each query took; throws when an answer is not what it was. */
async function ask(
  client: TestClient,
  ids: readonly Uint8Array[],
  answers: ReadonlyMap<Uint8Array, string>,
): Promise<number[]> {
  const taken: number[] = [];
  for (const id of ids) {
    const start = performance.now();
    const answer = await answerOf(client, id);
    taken.push(performance.now() - start);
    if (answer !== answers.get(id))
      throw new Error(`${Principal.fromUint8Array(id)} answers otherwise than before.`);
  }
  return taken;
}

async function answerOf(client: TestClient, id: Uint8Array): Promise<string> {
  return Buffer.from(await client.query(id, 'sum')).toString('hex');
}

const heapBytes = (index: number): number => (index % LARGE_EVERY === 0 ? LARGE_BYTES : MIB);
const one = (value: number): Figure['spread'] => ({ low: value, median: value, high: value });

/** Items in an order that has nothing to do with theirs, the same each time. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item, index) => ({ item, rank: Math.imul(index + 1, 2_654_435_761) >>> 0 }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

async function forEach<T>(
  items: readonly T[],
  atOnce: number,
  action: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of entries) await action(item, index);
    }),
  );
}

async function seconds(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1_000;
}

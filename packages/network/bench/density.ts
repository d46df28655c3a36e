/**
 * How many canisters one network holds: creates them through the engine, puts code into some, touches them all, and
 * measures memory, the time to wake a canister that was unloaded, and the time to start again.
 *
 *     node packages/network/bench/density.ts [canisters] [with code]
 */
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { TestClient, testConfiguration } from '../test/engine-client.ts';
import { FILLED_WAT, fillArgument } from '../test/filled-canister.ts';
import { wat } from './text-module.ts';

export interface DensityOptions {
  readonly canisters: number;
  readonly withCode: number;
}

export interface DensityFigures {
  readonly createSeconds: number;
  readonly installSeconds: number;
  readonly touchSeconds: number;
  /** Resident memory of the process, in bytes, after all were touched. */
  readonly residentBytes: number;
  /** Milliseconds a query waited whose canister had most likely been unloaded. */
  readonly wakeMilliseconds: readonly number[];
  /** Canisters whose answer changed by being unloaded, or by the restart. */
  readonly wrongAnswers: number;
  /** From starting the engine thread to having the whole certified state. */
  readonly restartMilliseconds: number;
}

const MIB = 1024 * 1024;
const AT_ONCE = 200;
/** Every so many canisters with code has the largest heap, the others one of 1 MiB. */
const LARGE_EVERY = 50;
const LARGE_BYTES = 16 * MIB;

async function forEach<T>(
  items: readonly T[],
  action: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of entries) await action(item, index);
    }),
  );
}

async function seconds(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1_000;
}

const bytesOf = (index: number): number => (index % LARGE_EVERY === 0 ? LARGE_BYTES : MIB);

const answerOf = async (client: TestClient, id: Uint8Array): Promise<string> =>
  Buffer.from(await client.query(id, 'sum')).toString('hex');

/** Items in an order that has nothing to do with theirs. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item, index) => ({ item, rank: Math.imul(index + 1, 2_654_435_761) >>> 0 }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Runs the whole measurement in a temporary folder. */
export async function density({ canisters, withCode }: DensityOptions): Promise<DensityFigures> {
  const { dataDir } = testConfiguration();
  const client = await TestClient.start({ dataDir }, true);
  try {
    const ids: Uint8Array[] = [];
    const createSeconds = await seconds(() =>
      forEach(Array.from({ length: canisters }), async () => {
        ids.push(await client.create());
      }),
    );
    const coded = ids.slice(0, withCode);
    const module = wat(FILLED_WAT);
    const installSeconds = await seconds(() => forEach(coded, (id) => client.install(id, module)));
    const expected = new Map<Uint8Array, string>();
    const touchSeconds = await seconds(() =>
      forEach(coded, async (id, index) => {
        await client.update(id, 'fill', fillArgument(index + 1, bytesOf(index)));
        expected.set(id, await answerOf(client, id));
      }),
    );
    const residentBytes = process.memoryUsage().rss;
    let wrongAnswers = 0;
    const wakeMilliseconds: number[] = [];
    const askAll = async (some: readonly Uint8Array[]): Promise<void> => {
      for (const id of some) {
        const start = performance.now();
        const answer = await answerOf(client, id);
        wakeMilliseconds.push(performance.now() - start);
        if (answer !== expected.get(id)) wrongAnswers += 1;
      }
    };
    await askAll(shuffled(coded));
    await client.close();
    const restartMilliseconds = 1_000 * (await seconds(() => client.open()));
    await askAll(shuffled(coded).slice(0, 500));
    return {
      createSeconds,
      installSeconds,
      touchSeconds,
      residentBytes,
      wakeMilliseconds,
      wrongAnswers,
      restartMilliseconds,
    };
  } finally {
    await client.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function print(options: DensityOptions, figures: DensityFigures): void {
  const wakes = figures.wakeMilliseconds.toSorted((a, b) => a - b);
  const at = (share: number): string => (wakes[Math.floor((wakes.length - 1) * share)] ?? 0).toFixed(1);
  console.log(`${options.canisters} canisters, ${options.withCode} with code`);
  console.log(
    `  create ${figures.createSeconds.toFixed(1)} s, install ${figures.installSeconds.toFixed(1)} s`,
  );
  console.log(`  first update and query of each ${figures.touchSeconds.toFixed(1)} s`);
  console.log(`  resident memory ${(figures.residentBytes / MIB).toFixed(0)} MiB`);
  console.log(`  query of an unloaded canister p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
  console.log(`  start with all of them ${figures.restartMilliseconds.toFixed(0)} ms`);
  console.log(`  wrong answers ${figures.wrongAnswers}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [canisters = 20_000, withCode = 2_000] = process.argv.slice(2).map(Number);
  print({ canisters, withCode }, await density({ canisters, withCode }));
}

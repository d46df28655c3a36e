import { expect } from 'vitest';

/** Something that reads what a stranger sends, and inputs that double, the last one as large as its cap. */
export interface Reader<Input> {
  /** Makes an input of about this size; what is made is not part of the work that is measured. */
  readonly input: (size: number) => Input;
  /** Does the work, at once or later; an error is an answer. */
  readonly read: (input: Input) => unknown;
  /** The cap of the reader, in the unit of `input`. */
  readonly cap: number;
}

/** Measured by `npm run bench -- doubling` on a machine that does nothing else; every other run has company. */
const isCalm = process.env['DOUBLING'] === 'calm';
/** How often the size is doubled up to the cap: the further apart, the less what else happens on the machine matters. */
const DOUBLINGS = isCalm ? 3 : 5;
/**
 * How much faster than the input the work may seem to grow, for caches, for pages that the system hands out and for collections
 * of memory: a busy machine makes the largest input up to seven times as slow in proportion. What grows with the square seems to
 * grow 8 times faster on a calm machine, and 32 times over five doublings.
 */
const SEEMING = isCalm ? 3 : 8;
/** How much longer the largest input may take than on a calm machine. */
const SLOWER = isCalm ? 1 : 5;
/** Each size is read this often at a time; the least of the times counts, which a busy machine disturbs least. */
const ROUNDS = isCalm ? 3 : 1;
/** What is too slow is measured again, as long as it takes a busy machine to find the time. */
const ATTEMPTS = isCalm ? 4 : 12;
/** The engine compiles what is called often; the first calls would count as slow. */
const WARM_UP = 3;
/** Shorter times are noise, in milliseconds: they say nothing of how they grow. */
const NOISE_MILLIS = 4;

/**
 * The doubling test: fails when the work grows faster than the input, doubled several times up to the cap, or when the largest
 * input costs more than `mostMillis` of processor time on a calm machine.
 */
export async function expectLinear<Input>(
  { input, read, cap }: Reader<Input>,
  mostMillis: number,
): Promise<void> {
  const sizes = [Math.max(1, Math.floor(cap / 2 ** DOUBLINGS)), cap];
  const inputs = sizes.map(input);
  for (let round = 0; round < WARM_UP; round += 1) await work(read, inputs[0] as Input);
  const times = inputs.map(() => Number.POSITIVE_INFINITY);
  let problem: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    for (const [index, each] of inputs.entries()) {
      times[index] = Math.min(times[index] ?? 0, await leastMillis(read, each));
    }
    problem = problemOf(times, mostMillis * SLOWER);
    if (problem === undefined) return;
  }
  expect.fail(
    `${problem}: ${sizes.map((size, at) => `${size} takes ${times[at]?.toFixed(1)} ms`).join(', ')}`,
  );
}

function problemOf(times: readonly number[], mostMillis: number): string | undefined {
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  const grows = last > NOISE_MILLIS && last / Math.max(first, NOISE_MILLIS / 2) > 2 ** DOUBLINGS * SEEMING;
  if (grows) return 'the work grows faster than the input';
  return last > mostMillis ? `the largest input takes more than ${mostMillis} ms` : undefined;
}

async function leastMillis<Input>(read: (input: Input) => unknown, given: Input): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.threadCpuUsage();
    const start = performance.now();
    await work(read, given);
    const wall = performance.now() - start;
    const { user, system } = process.threadCpuUsage(before);
    // A busy machine makes the first longer; the second is the time of this thread alone.
    least = Math.min(least, wall, (user + system) / 1000);
  }
  return least;
}

async function work<Input>(read: (input: Input) => unknown, given: Input): Promise<void> {
  try {
    await read(given);
  } catch {
    // A refusal is an answer, too.
  }
}

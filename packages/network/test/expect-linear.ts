import { expect } from 'vitest';

/** Something that reads what a stranger sends, and inputs that double, the last one as large as its cap. */
export interface Reader<Input> {
  /** Makes an input of about this size; what is made is not part of the work that is measured. */
  readonly input: (size: number) => Input;
  /** Does the work; an error is an answer. */
  readonly read: (input: Input) => unknown;
  /** The cap of the reader, in the unit of `input`. */
  readonly cap: number;
}

/** How often the size is doubled up to the cap. */
const DOUBLINGS = 3;
/** Each size is read this often; the least of the times counts, which a busy machine disturbs least. */
const ROUNDS = 5;
/** Shorter times are noise: they say nothing of how they grow. */
const NOISE_MILLIS = 4;
/** Twice the input may take twice the time, and half as much again for noise. */
const MOST_GROWTH = 3;

/**
 * The doubling test: fails when twice the input takes more than twice the work, or when the largest input the reader
 * takes costs more than `mostMillis` of processor time.
 */
export function expectLinear<Input>({ input, read, cap }: Reader<Input>, mostMillis: number): void {
  const sizes = Array.from({ length: DOUBLINGS + 1 }, (_, step) => Math.floor(cap / 2 ** (DOUBLINGS - step)));
  // The engine compiles what is called often; the first calls would count as slow.
  for (let round = 0; round < ROUNDS; round += 1) work(read, input(sizes[0] ?? 1));
  const times = sizes.map((size) => leastMillis(read, input(size)));
  const told = sizes.map((size, index) => `${size}: ${times[index]?.toFixed(1)} ms`).join(', ');
  for (const [index, time] of times.entries()) {
    const before = times[index - 1];
    if (before === undefined || time <= NOISE_MILLIS) continue;
    expect(time / Math.max(before, NOISE_MILLIS / 2), told).toBeLessThanOrEqual(MOST_GROWTH);
  }
  expect(times.at(-1), told).toBeLessThanOrEqual(mostMillis);
}

function leastMillis<Input>(read: (input: Input) => unknown, given: Input): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    const start = performance.now();
    work(read, given);
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    // Other threads of this process, collectors of memory among them, must not count as work of the reader.
    return Math.min(wall, (user + system) / 1000);
  });
  return Math.min(...times);
}

function work<Input>(read: (input: Input) => unknown, given: Input): void {
  try {
    read(given);
  } catch {
    // A refusal is an answer, too.
  }
}

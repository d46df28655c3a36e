import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Section, spreadOf } from '../figures.ts';
import { startNetwork } from './network-process.ts';

const ROUNDS = 7;
/** After that long nothing of a start goes on any more. */
const IDLE_MS = 4_000;
const FIRST_GOAL_MS = 2_000;
const LATER_GOAL_MS = 300;
const IDLE_GOAL_MIB = 40;

interface Start {
  readonly readyMs: number;
  /** Memory of the process once it is idle. */
  readonly idleMib: number;
}

/** A first and a later start on one folder. */
interface Pair {
  readonly first: Start;
  readonly later: Start;
}

/** What the system canisters cost a network on all cores that nobody uses: each start against one without them, in turns. */
export const services: Section = {
  title: 'Services',
  async run(report) {
    const rounds: { readonly bare: Pair; readonly full: Pair }[] = [];
    // The first round is not counted: what it reads is not in the cache of the system yet.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [first, second] =
        round % 2 === 0 ? (['none', 'default'] as const) : (['default', 'none'] as const);
      const pairs = { [first]: await pairOf(first), [second]: await pairOf(second) } as Record<string, Pair>;
      const { none: bare, default: full } = pairs;
      if (bare && full && round > 0) rounds.push({ bare, full });
    }
    for (const which of ['first', 'later'] as const) {
      const median = (of: 'bare' | 'full', what: keyof Start): string =>
        spreadOf(rounds.map((each) => each[of][which][what])).median.toFixed(0);
      const over = (what: keyof Start): number[] =>
        rounds.map(({ bare, full }) => full[which][what] - bare[which][what]);
      report({
        what: `${which} start with all services: time over one without`,
        unit: 'ms',
        spread: spreadOf(over('readyMs')),
        goal: { atMost: which === 'first' ? FIRST_GOAL_MS : LATER_GOAL_MS },
        note: `${median('full', 'readyMs')} against ${median('bare', 'readyMs')} ms`,
      });
      report({
        what: `the same: memory of the idle process over one without`,
        unit: 'MiB',
        spread: spreadOf(over('idleMib')),
        goal: { atMost: IDLE_GOAL_MIB },
        note: `${median('full', 'idleMib')} against ${median('bare', 'idleMib')} MiB`,
      });
    }
  },
};

async function pairOf(chosen: string): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-services-'));
  try {
    const args = ['--services', chosen];
    return { first: await startOf(folder, args), later: await startOf(folder, args) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOf(folder: string, args: readonly string[]): Promise<Start> {
  const begun = performance.now();
  await using network = await startNetwork(args, { folder, spread: true });
  const readyMs = performance.now() - begun;
  await sleep(IDLE_MS);
  return { readyMs, idleMib: network.rssMib() };
}

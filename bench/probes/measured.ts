import { type Floor, NO_FLOOR } from './bare.ts';
import { delayAt, type LoopDelays } from './loop-delays.ts';
import type { Seen } from './watched-client.ts';

/** What may be taken: memory over that of an idle product in MiB, and the longest stall of a serving thread in milliseconds. */
export const LIMITS = { memory: 64, stall: 50 };
const SHARE = 0.999;

const PARTS = ['server', 'network'] as const;
export type Part = (typeof PARTS)[number];

/** What was measured during one probe, or during a time without any. */
export interface Measured {
  /** Most resident memory, in MiB. */
  readonly memory: Readonly<Record<Part, number>>;
  /** Resident memory before, in MiB. */
  readonly memoryBefore: Readonly<Record<Part, number>>;
  readonly other: Seen['other'];
  /** Of the thread that serves, at p99.9 and at most, in milliseconds: how late it was, and how long it worked without a turn for others. */
  readonly loop: Readonly<
    Record<Part, { readonly late: number; readonly worked: number; readonly longest: number }>
  >;
  /** Calls of the other client, in milliseconds: p99.9 and the longest, of the slower of server and network. */
  readonly calls: { readonly p999: number; readonly longest: number };
  readonly failures: readonly string[];
}

export function measured(seen: Seen, delays: Readonly<Record<Part, LoopDelays>>): Measured {
  const loopOf = ({ count, delays: all }: LoopDelays): Measured['loop'][Part] => {
    const worked = all.map(([, each]) => each);
    return {
      late: delayAt({ count, values: all.map(([each]) => each) }, SHARE),
      worked: delayAt({ count, values: worked }, SHARE),
      longest: Math.max(0, ...worked),
    };
  };
  const kinds = Object.values(seen.millis);
  const p999 = kinds.map((values) => delayAt({ count: values.length, values }, SHARE));
  const ended = PARTS.filter((part) => seen[`${part}Ended`]).map((part) => `the ${part} has ended`);
  return {
    memory: seen.memory,
    memoryBefore: seen.memoryBefore,
    other: seen.other,
    loop: { server: loopOf(delays.server), network: loopOf(delays.network) },
    calls: { p999: Math.max(0, ...p999), longest: Math.max(0, ...kinds.flat()) },
    failures: [...ended, ...seen.failures],
  };
}

/** What a process had above an idle one, or above what it had before the probe where that was more: in MiB. */
function memoryOver(probe: Measured, idle: Measured, part: Part): number {
  return probe.memory[part] - Math.max(idle.memory[part], probe.memoryBefore[part]);
}

/** What is wrong with a probe, compared to an idle product and to what a bare server does with it; empty where nothing is. */
export function problemsOf(probe: Measured, idle: Measured, floor = NO_FLOOR): string[] {
  const problems = PARTS.flatMap((part) => {
    const over = memoryOver(probe, idle, part);
    const stall = probe.loop[part].worked;
    return [
      ...(over > LIMITS.memory + floor.memory ? [`${part} +${over.toFixed(0)} MiB`] : []),
      ...(stall > LIMITS.stall + Math.max(idle.loop[part].worked, floor.worked)
        ? [`${part} stalls ${stall.toFixed(0)} ms`]
        : []),
    ];
  });
  const [first] = probe.failures;
  if (first !== undefined) problems.push(`${probe.failures.length} calls failed (${first})`);
  return problems;
}

export const COLUMNS = [
  'probe',
  'at',
  'answers',
  'server MiB over idle',
  'network MiB over idle',
  'largest other process, MiB',
  'server works at a stretch, p99.9 (longest), ms',
  'network',
  'late, p99.9, ms',
  'calls of another client, p99.9 (longest), ms',
  'verdict',
];

/** The cells of a row of the table. */
export function cellsOf(
  name: string,
  at: string,
  answers: string,
  probe: Measured,
  idle: Measured,
  floor: Floor,
): string[] {
  const over = (part: Part): string => memoryOver(probe, idle, part).toFixed(0);
  const worked = ({ worked: p999, longest }: Measured['loop'][Part]): string =>
    `${p999.toFixed(0)} (${longest.toFixed(0)})`;
  const { server, network } = probe.loop;
  const problems = problemsOf(probe, idle, floor);
  const bare =
    floor === NO_FLOOR
      ? ''
      : ` (a bare server: +${floor.memory.toFixed(0)} MiB, ${floor.worked.toFixed(0)} ms)`;
  return [
    name.replaceAll('|', '/'),
    at,
    answers,
    over('server'),
    over('network'),
    `${probe.other.mebibytes.toFixed(0)} ${/^\S*?([^/\s]+)(?:\s|$)/.exec(probe.other.name)?.[1] ?? ''}`,
    worked(server),
    worked(network),
    Math.max(server.late, network.late).toFixed(0),
    `${probe.calls.p999.toFixed(0)} (${probe.calls.longest.toFixed(0)})`,
    `${problems.length === 0 ? 'held' : problems.join('; ')}${bare}`,
  ];
}

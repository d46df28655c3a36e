import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { EngineFigures } from '@cannery/replica/messages';
import type { TallyFigures } from './http/transport/tally.ts';

/** How a network and its process are doing. Counts begin with the process, but for those that say otherwise. */
export interface NetworkFigures {
  readonly engine: EngineFigures;
  /** Rounds: states that were certified. */
  readonly rounds: number;
  readonly http: TallyFigures;
  /** Answers of canisters that the gateway keeps to send them again, and their bytes. */
  readonly kept: { readonly answers: number; readonly bytes: number };
  readonly process: ProcessFigures;
}

/** Bytes and seconds. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly cpuSeconds: number;
  /** Open descriptors; undefined where the system does not tell. */
  readonly descriptors: number | undefined;
  /** By how much the event loop of the main thread was late, since this was last asked. */
  readonly loopLag: { readonly p50: number; readonly p99: number };
}

const RESOLUTION_MILLIS = 20;
const NANOS_PER_SECOND = 1e9;

/** Starts to watch this process. What it returns tells how it is doing. */
export function watchProcess(): () => ProcessFigures {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS });
  delay.enable();
  // What the histogram has is the whole time between two looks.
  const lag = (nanos: number): number => Math.max(0, nanos / NANOS_PER_SECOND - RESOLUTION_MILLIS / 1_000);
  return () => {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const loopLag = { p50: lag(delay.percentile(50)), p99: lag(delay.percentile(99)) };
    delay.reset();
    return {
      residentBytes: rss,
      heapBytes: heapUsed,
      cpuSeconds: (user + system) / 1e6,
      descriptors: openDescriptors(),
      loopLag,
    };
  };
}

function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

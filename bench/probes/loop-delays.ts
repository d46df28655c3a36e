import { connect } from 'node:net';
import { join } from 'node:path';

/** Delays of the event loop of one process since they were asked for last. */
export interface LoopDelays {
  /** How often the loop was looked at. */
  readonly count: number;
  /** By how many milliseconds it was late, and how many of these it worked; only what is above a millisecond. */
  readonly delays: readonly (readonly [late: number, worked: number])[];
}

const NONE: LoopDelays = { count: 0, delays: [] };
const PATIENCE_MILLIS = 20_000;

/** Asks a process that `loop-watch.ts` was loaded into; nothing where it does not answer. */
export function loopDelays(folder: string, pid: number): Promise<LoopDelays> {
  const { promise, resolve } = Promise.withResolvers<LoopDelays>();
  const socket = connect(join(folder, `${pid}.sock`));
  let text = '';
  socket.setTimeout(PATIENCE_MILLIS, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(text === '' ? NONE : (JSON.parse(text) as LoopDelays)));
  return promise;
}

/** The value below which `share` of the `count` looks lie; those that were not told are nothing. */
export function delayAt(
  { count, values }: { count: number; values: readonly number[] },
  share: number,
): number {
  const above = Math.floor(count * (1 - share));
  return values.toSorted((a, b) => b - a)[above] ?? 0;
}

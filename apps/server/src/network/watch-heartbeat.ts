import type { ChildProcess } from 'node:child_process';
import { HEARTBEAT, HEARTBEAT_MILLIS } from '@cannery/network/heartbeat';

/** Heartbeats in a row that may fail to come: a machine that is busy keeps a process waiting for some seconds. */
const MOST_MISSED = 15;

/** How long a process is silent before it counts as hung, in seconds. */
export const SILENCE_SECONDS = (MOST_MISSED * HEARTBEAT_MILLIS) / 1000;

/**
 * Calls `onSilent` once when a child process, whose channel is open, has sent no heartbeat for `SILENCE_SECONDS`. Time in
 * which this process did not come to look, since the machine slept or was too busy, does not count.
 */
export function watchHeartbeat(child: ChildProcess, onSilent: () => void): void {
  let missed = 0;
  let lookedAt = performance.now();
  child.on('message', (message) => {
    if (message === HEARTBEAT) missed = 0;
  });
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lookedAt < 2 * HEARTBEAT_MILLIS) missed += 1;
    lookedAt = now;
    if (missed < MOST_MISSED) return;
    clearInterval(timer);
    onSilent();
  }, HEARTBEAT_MILLIS);
  timer.unref();
  child.once('exit', () => clearInterval(timer));
}

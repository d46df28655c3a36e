/** Sent to the process that started this one, over the channel between them. */
export const HEARTBEAT = 'alive';
/** How often, in milliseconds. */
export const HEARTBEAT_MILLIS = 1_000;

/** Tells the parent, if there is a channel to it, that the main thread of this process still takes its turns. */
export function sendHeartbeats(): void {
  const timer = setInterval(() => {
    // The channel may close at any time; that the parent is gone is found out otherwise.
    if (process.connected) process.send?.(HEARTBEAT, undefined, undefined, () => undefined);
  }, HEARTBEAT_MILLIS);
  timer.unref();
}

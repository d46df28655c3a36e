/** A client is looked at this often, in milliseconds. */
const WINDOW_MS = 30_000;
/** Bytes that a client must send or take in that time: one KiB a second, less than any modem. */
const LEAST_BYTES = 30 * 1024;

export interface Progress {
  /** Bytes moved so far, in both directions. */
  readonly bytes: number;
  /** Whether it is the client's turn to send or to take something. */
  readonly waiting: boolean;
}

/** Calls back once when a client keeps us waiting for a whole window; returns what ends the watch. */
export function watchClient(
  progress: () => Progress,
  onSlow: () => void,
  { windowMs = WINDOW_MS, leastBytes = LEAST_BYTES } = {},
): () => void {
  let before = progress();
  const timer = setInterval(() => {
    const now = progress();
    if (before.waiting && now.waiting && now.bytes - before.bytes < leastBytes) {
      clearInterval(timer);
      onSlow();
    }
    before = now;
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
}

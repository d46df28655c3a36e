/** When work leaves the engine thread, and what bounds it there. */
export interface HeavySettings {
  /** Weighted instructions a message may use in the engine thread. */
  readonly messageSlice: bigint;
  /** The same for a query or an inspection. */
  readonly querySlice: bigint;
  /** Weighted instructions an execution may use in each lane but the last, before it begins again in the next one. */
  readonly laneInstructions: readonly bigint[];
  /** Size of the largest module, unpacked, that is prepared in the engine thread, in bytes. */
  readonly prepareBytes: number;
  /** Longest time a message may take, in milliseconds; its limit in instructions ends it long before. */
  readonly messageWallMs: number;
  /** The same for a query or an inspection. */
  readonly queryWallMs: number;
  /** A heavy worker with nothing to do for this many milliseconds is ended, and its memory given back. */
  readonly idleMs: number;
  /** Size of the JavaScript heap of each heavy worker, in MiB. */
  readonly heapMb: number;
}

/** A slice of a message takes about 12 ms; the lanes give a message 80 ms and a second, then what it wants. */
export const DEFAULT_HEAVY_SETTINGS: HeavySettings = {
  messageSlice: 50_000_000n,
  querySlice: 10_000_000n,
  laneInstructions: [300_000_000n, 4_000_000_000n],
  prepareBytes: 200_000,
  messageWallMs: 600_000,
  queryWallMs: 120_000,
  idleMs: 60_000,
  heapMb: 1_024,
};

import type { CheckpointStep } from './pages/write-checkpoint.ts';

export interface DurableStoreOptions {
  /** Size of the log in bytes that starts a checkpoint. */
  readonly checkpointBytes?: number;
  /** Time without a commit that starts a checkpoint. */
  readonly idleMilliseconds?: number;
  /** Free bytes of the disk below which `isDiskLow`. */
  readonly reserveBytes?: number;
  /** Called after each step of a checkpoint, which then is written in this thread. */
  readonly onCheckpointStep?: (step: CheckpointStep) => void;
}

export const DEFAULTS = {
  // Up to two logs of this size are read at a start, which is to be over in two seconds.
  checkpointBytes: 128 * 1024 * 1024,
  idleMilliseconds: 30_000,
  reserveBytes: 64 * 1024 * 1024,
} as const satisfies DurableStoreOptions;

export type Options = DurableStoreOptions & Required<Omit<DurableStoreOptions, 'onCheckpointStep'>>;

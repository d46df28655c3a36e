import type { RedoLog } from '../log/redo-log.ts';
import type { Layer } from './space.ts';
import type { PendingEntries } from './write-checkpoint.ts';

/** The log that a checkpoint writes out, with what it changed. */
export interface Frozen {
  readonly log: RedoLog;
  readonly entries: PendingEntries;
  readonly layers: ReadonlyMap<string, Layer>;
  readonly through: number;
}

import { closeSync } from 'node:fs';
import { CheckpointIndex, type SpaceRow } from './checkpoint-index.ts';
import { StoreDamagedError } from '../files/errors.ts';
import { storePaths } from '../files/layout.ts';
import { LogFiles } from '../log/log-files.ts';
import { PageFiles } from './page-files.ts';
import { PendingEntries } from './pending-entries.ts';
import { RedoLog } from '../log/redo-log.ts';
import { Spaces } from './spaces.ts';

/** The points of a checkpoint where a crash could leave two truths side by side. */
export type CheckpointStep = 'new-log-made' | 'pages-written' | 'index-written' | 'old-log-deleted';

export interface WrittenCheckpoint {
  /** Spaces whose row changed. */
  readonly rows: readonly SpaceRow[];
  /** Page files that no row refers to any more. */
  readonly obsolete: readonly number[];
}

/**
 * Writes the log that continues the last checkpoint of a directory, up to commit `through`, into page files and index.
 * Needs nothing from memory, so another thread can do it: the log must be on disk, take no more records, and have a
 * successor. Throws `StoreDamagedError` when the log is not as it was written.
 */
export function writeCheckpoint(
  directory: string,
  through: number,
  onStep?: (step: CheckpointStep) => void,
): WrittenCheckpoint {
  const index = CheckpointIndex.open(storePaths.index(directory));
  try {
    const { sequence: checkpointed, log: number } = index.row;
    const before = index.spaces();
    const spaces = new Spaces(before, new PageFiles(storePaths.pages(directory)));
    let entries: PendingEntries | undefined;
    const { log, scan } = RedoLog.open(
      new LogFiles(storePaths.logs(directory), number).path(number),
      checkpointed,
      (content, position, own) => {
        if (content.sequence <= checkpointed) return;
        entries ??= new PendingEntries(own);
        entries.apply(content, position);
        spaces.apply(content, position);
      },
    );
    try {
      if (scan.last !== through)
        throw new StoreDamagedError(log.path, `commit ${scan.last + 1}, which was on disk, is broken`);
      const lastFile = before.reduce((last, { file }) => Math.max(last, file), 0);
      const rows = spaces.writeFiles(log, lastFile);
      onStep?.('pages-written');
      index.apply({
        sequence: through,
        log: number + 1,
        entries: entries?.entries() ?? [],
        spaces: rows,
        droppedSpaces: before.map(({ name }) => name).filter((name) => !spaces.has(name)),
      });
      onStep?.('index-written');
      index.trim();
      const used = new Set(index.spaces().map(({ file }) => file));
      const obsolete = new Set(before.map(({ file }) => file).filter((file) => !used.has(file)));
      return { rows, obsolete: [...obsolete] };
    } finally {
      closeSync(log.fd);
    }
  } finally {
    index.close();
  }
}

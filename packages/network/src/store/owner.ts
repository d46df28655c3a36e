import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointIndex } from './checkpoint-index.ts';
import { StoreLockedError } from './errors.ts';

const INDEX = 'index.sqlite';
/** Tells people who holds the directory; the lock itself is the database's. */
const OWNER = 'owner.pid';

function ownerIn(directory: string): string {
  try {
    return `process ${readFileSync(join(directory, OWNER), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

/** Makes this process the owner of a directory and opens its index. Throws `StoreLockedError` if it has one. */
export function takeOwnership(directory: string): CheckpointIndex {
  try {
    const index = CheckpointIndex.open(join(directory, INDEX));
    writeFileSync(join(directory, OWNER), `${process.pid}\n`);
    return index;
  } catch (error) {
    if (!(error instanceof StoreLockedError)) throw error;
    throw new StoreLockedError(`The directory ${directory} is in use by ${ownerIn(directory)}.`, {
      cause: error,
    });
  }
}

export function giveUpOwnership(directory: string, index: CheckpointIndex): void {
  rmSync(join(directory, OWNER), { force: true });
  index.close();
}

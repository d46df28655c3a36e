/** What the console can tell to have been changed by others. */
export interface Watched {
  readonly moduleHash: string | null;
  /** Sorted; null when not known. */
  readonly controllers: readonly string[] | null;
}

/** Sentences about what differs between what the console knows of a canister and what the network says of it. */
export function outsideChanges(known: Watched, seen: Watched): string[] {
  const changes: string[] = [];
  if (known.moduleHash !== seen.moduleHash) {
    changes.push(
      seen.moduleHash === null
        ? `The code with hash ${shortHash(known.moduleHash)} is gone.`
        : `The code with hash ${shortHash(seen.moduleHash)} has replaced ${shortHash(known.moduleHash)}.`,
    );
  }
  if (known.controllers !== null && seen.controllers !== null) {
    const added = without(seen.controllers, known.controllers);
    const removed = without(known.controllers, seen.controllers);
    if (added.length > 0) changes.push(`New controllers: ${added.join(', ')}.`);
    if (removed.length > 0) changes.push(`Removed controllers: ${removed.join(', ')}.`);
  }
  return changes;
}

function without(all: readonly string[], taken: readonly string[]): string[] {
  return all.filter((one) => !taken.includes(one));
}

/** The beginning of a module hash, enough to tell two apart. */
export function shortHash(hash: string | null): string {
  return hash === null ? 'none' : `0x${hash.slice(0, 8)}`;
}

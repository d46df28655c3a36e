/** Another process, or another store in this one, owns the directory. */
export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError';
}

/** The disk refused a write or a sync. What was acknowledged before is on disk; nothing more can be committed. */
export class StoreFailedError extends Error {
  override readonly name = 'StoreFailedError';
}

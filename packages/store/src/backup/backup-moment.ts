/**
 * The moment that a backup is of: it holds everything that was committed when `ready` resolved, and nothing that was committed
 * after `taken` was called. Whoever keeps others still for it does so from `ready` to `taken`, however long the copy takes.
 */
export interface BackupMoment {
  /** Resolves when the moment may come; what it rejects with ends the backup. */
  ready(): Promise<void>;
  /** The moment is over, the copy begins. */
  taken(): void;
}

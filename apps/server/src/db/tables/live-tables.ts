import type { ColumnType } from 'kysely';

/** Whose open pages a process serves. Nothing is told of anybody else. */
interface LiveWatchesTable {
  /** As notices name a user. */
  subject: string;
  process: string;
  /** By the clock of the database. */
  until: ColumnType<Date, never, never>;
}

export interface LiveTables {
  live_watches: LiveWatchesTable;
}

import type { FirstStepName } from '@cannery/contract';
import type { ColumnType } from 'kysely';

/** What a user has done at least once. Triggers write it for what tables tell, see the migration 0053. */
interface FirstStepsTable {
  user_id: string;
  /** Or that the user has put the list away. */
  step: FirstStepName | 'dismissed';
  /** By the clock of the database. */
  done_at: ColumnType<Date, never, never>;
}

export interface FirstStepTables {
  first_steps: FirstStepsTable;
}

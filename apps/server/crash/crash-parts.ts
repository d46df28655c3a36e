import type { Db } from '../src/db/tx.ts';
import type { IcClient } from '../src/ic/ic-client.ts';
import type { ApiClient } from '../test/support/client.ts';

/** What one crash is about: an action, and how to see what has become of it. */
export interface CrashSubject {
  /** Begins the action, during which the process dies. */
  act(): Promise<unknown>;
  /** Looks at the books and at the network, each for itself; of an action that is done, also at what its repetition does. */
  look(after: {
    books: Db;
    api: ApiClient;
  }): Promise<{ readonly isDone: boolean; readonly findings: readonly string[] }>;
}

export interface CrashParts {
  readonly api: ApiClient;
  readonly ic: IcClient;
  /** As they are before the action. */
  readonly books: Db;
}

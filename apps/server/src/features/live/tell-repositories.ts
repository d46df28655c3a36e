import type { Tx } from '../../db/tx.ts';
import { tell } from '../../jobs/notices.ts';
import { newsOfUser } from './pending-news.ts';

/** Tells the open pages of a user that their repositories have changed, which are in no table. */
export async function tellRepositories(tx: Tx, userId: string): Promise<void> {
  await tell(tx, newsOfUser(userId), 'repositories');
}

import { parseArgs } from 'node:util';
import { type Db, transactOn, type Tx } from '../db/tx.ts';
import { StartError } from '../errors.ts';
import { findUserByName } from '../features/user/store.ts';
import { noteCommand } from './note-command.ts';
import { runCommand } from './run-command.ts';
import { withDatabase } from './with-database.ts';

const HELP = `Ends the sessions of a user or of everybody, whether the server runs or not: with the next call they are signed out.

  --user NAME     username, as the console shows it
  --everybody     all users

  --with-tokens   deletes their API tokens and their access tokens of the git host as well

Signing in again is not prevented: close the account at the identity provider first. DATA_DIR and DATABASE_URL are those of the server.
`;

type Credentials = 'sessions' | 'sign_in_tokens' | 'api_tokens' | 'git_tokens';

/** Deletes credentials of one user, or of all. @returns how many there were */
async function forget(tx: Tx, table: Credentials, userId: string | undefined): Promise<bigint> {
  const all = tx.deleteFrom(table);
  const { numDeletedRows } = await (userId === undefined
    ? all
    : all.where('user_id', '=', userId)
  ).executeTakeFirst();
  return numDeletedRows;
}

async function endAll(db: Db, userId: string | undefined, withTokens: boolean): Promise<string> {
  const answer = await transactOn(db)(async (tx) => {
    // Somebody may be on the way back from the identity provider.
    await forget(tx, 'sign_in_tokens', userId);
    const ended = `Sessions that have ended: ${await forget(tx, 'sessions', userId)}.`;
    if (!withTokens) return `${ended} Tokens still work; --with-tokens deletes them.`;
    const tokens = (await forget(tx, 'api_tokens', userId)) + (await forget(tx, 'git_tokens', userId));
    return `${ended} Tokens that are deleted: ${tokens}.`;
  });
  noteCommand('sign-out', { user: userId });
  return answer;
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      everybody: { type: 'boolean', default: false },
      'with-tokens': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return HELP.trimEnd();
  const { user: name, everybody, 'with-tokens': withTokens } = values;
  if ((name === undefined) === !everybody) throw new StartError(`Name one user, or everybody.\n\n${HELP}`);
  return withDatabase(async (db) => {
    if (name === undefined) return endAll(db, undefined, withTokens);
    const user = await findUserByName(db, name);
    if (user === undefined) throw new StartError(`There is no user ${name}.`);
    return endAll(db, user.id, withTokens);
  });
});

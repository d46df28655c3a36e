import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CYCLES_PER_T, formatTrillions } from '@cannery/contract';
import { configOf } from './config.ts';
import { type Connection, openDatabase } from './db/database.ts';
import { embeddedConnection, startPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { transactOn } from './db/tx.ts';
import { isDataDirLocked, lockDataDir } from './data-lock.ts';
import { readEnv } from './env.ts';
import { StartError } from './errors.ts';
import { credit } from './features/account/credit.ts';
import { readInsights } from './features/account/store.ts';
import { findUserByName } from './features/user/store.ts';

const HELP = `Deposits cycles to the account of a user, whether the server runs or not.

  --user NAME     username, as the console shows it
  --cycles T      amount in T (1 T = 1,000,000,000,000 cycles), such as 5 or 0.25

DATA_DIR and DATABASE_URL are those of the server.
`;

/** Most that one deposit may be, in T; far below what a balance can hold. */
const MOST_T = 1_000_000_000n;

/** @throws StartError when it is no amount */
function cyclesOf(text: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,12}))?$/.exec(text.trim()) ?? [];
  const cycles = whole === undefined ? 0n : BigInt(whole) * CYCLES_PER_T + BigInt(fraction.padEnd(12, '0'));
  if (cycles > 0n && cycles <= MOST_T * CYCLES_PER_T) return cycles;
  throw new StartError(
    `--cycles is '${text}', but must be an amount in T above 0 and up to ${MOST_T}, such as 5 or 0.25.`,
  );
}

/** The database of a running server, or of one that is started for this alone. */
async function connect(
  databaseUrl: string | undefined,
  dataDir: string,
  started: AsyncDisposableStack,
): Promise<Connection> {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR to the folder of the server.`);
  }
  if (await isDataDirLocked(dataDir)) return embeddedConnection(dataDir);
  const lock = await lockDataDir(dataDir);
  started.defer(() => lock.release());
  const postgres = await startPostgres({ dataDir });
  started.defer(() => postgres.stop());
  return postgres.connection;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { user: { type: 'string' }, cycles: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const { user: name, cycles: amount, help } = values;
  if (help === true) {
    process.stdout.write(HELP);
    return;
  }
  if (name === undefined || amount === undefined) {
    throw new StartError(`Name the user and the amount.\n\n${HELP}`);
  }
  const cycles = cyclesOf(amount);
  const { dataDir, databaseUrl } = configOf(readEnv(process.env));
  await using started = new AsyncDisposableStack();
  const db = openDatabase(await connect(databaseUrl, dataDir, started), 1);
  started.defer(() => db.destroy());
  await migrate(db);
  const user = await findUserByName(db, name);
  if (user === undefined) {
    throw new StartError(`There is no user ${name}. Users exist from their first sign-in on.`);
  }
  await transactOn(db)((tx) => credit(tx, { userId: user.id, amount: cycles, meta: undefined }));
  const { available } = await readInsights(db, user.id);
  process.stdout.write(
    `${user.username} received ${formatTrillions(cycles)}; the balance is now ${formatTrillions(available)}.\n`,
  );
}

try {
  await main();
} catch (error) {
  // A StartError is a sentence for the operator, and so is what is wrong with the arguments.
  const isPlain =
    error instanceof StartError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  const text = error instanceof Error ? (isPlain ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

import { parseArgs } from 'node:util';
import { CYCLES_PER_T, formatTrillions } from '@cannery/contract';
import { type Db, transactOn } from '../db/tx.ts';
import { StartError } from '../errors.ts';
import { credit } from '../features/account/credit.ts';
import { readInsights } from '../features/account/store.ts';
import { decideUncertain, listUncertain } from '../features/canister/payment/uncertain-payments.ts';
import { findUserByName } from '../features/user/store.ts';
import { noteCommand } from './note-command.ts';
import { runCommand } from './run-command.ts';
import { withDatabase } from './with-database.ts';

const HELP = `Deposits cycles to the account of a user, whether the server runs or not.

  --user NAME     username, as the console shows it
  --cycles T      amount in T (1 T = 1,000,000,000,000 cycles), such as 5 or 0.25

Decides on payments of which nobody can tell whether the network has carried them out.

  --uncertain     lists them
  --book ID       the canister has got the cycles: the payment is booked
  --give-back ID  it has not: the user can spend them again

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

interface Asked {
  readonly user?: string;
  readonly cycles?: string;
  readonly uncertain?: boolean;
  readonly book?: string;
  readonly 'give-back'?: string;
}

/** What the operator wants; it answers what is printed. @throws StartError when it is not clear */
function workOf(asked: Asked): (db: Db) => Promise<string> {
  const { user, cycles: amount, uncertain, book, 'give-back': giveBack } = asked;
  if (uncertain === true)
    return async (db) => (await listUncertain(db)).join('\n') || 'No payment is uncertain.';
  if (book !== undefined) return (db) => decide(db, book, 'book');
  if (giveBack !== undefined) return (db) => decide(db, giveBack, 'give-back');
  if (user === undefined || amount === undefined) {
    throw new StartError(`Name the user and the amount.\n\n${HELP}`);
  }
  const cycles = cyclesOf(amount);
  return (db) => deposit(db, user, cycles);
}

async function decide(db: Db, id: string, verdict: 'book' | 'give-back'): Promise<string> {
  await transactOn(db)((tx) => decideUncertain(tx, id, verdict));
  noteCommand(verdict, { thing: id });
  return verdict === 'book' ? 'The payment is booked.' : 'The cycles are given back.';
}

async function deposit(db: Db, name: string, cycles: bigint): Promise<string> {
  const user = await findUserByName(db, name);
  if (user === undefined) {
    throw new StartError(`There is no user ${name}. Users exist from their first sign-in on.`);
  }
  await transactOn(db)((tx) => credit(tx, { userId: user.id, amount: cycles, meta: undefined }));
  noteCommand('deposit', { user: user.id });
  const { available } = await readInsights(db, user.id);
  return `${user.username} received ${formatTrillions(cycles)}; the balance is now ${formatTrillions(available)}.`;
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      cycles: { type: 'string' },
      uncertain: { type: 'boolean' },
      book: { type: 'string' },
      'give-back': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return values.help === true ? HELP.trimEnd() : withDatabase(workOf(values));
});

import type { CallRecord, NewCall } from '../calls/call-record.ts';
import { BY_PLACE, CALLS, kept, openDatabase, resultOf } from './database.ts';

/** The number of calls of a canister that are kept; the oldest go first. */
const MOST_CALLS = 100;
/** Arguments and replies beyond this are not kept after the page is closed, in characters and bytes. */
const LONGEST = 64 * 1024;

type StoredCall = CallRecord & { readonly place: string };

/** The calls kept of one place, newest first. Rejects when the browser keeps nothing. */
export async function readCalls(place: string): Promise<CallRecord[]> {
  const database = await openDatabase();
  const calls = database.transaction(CALLS).objectStore(CALLS);
  const stored = await resultOf<StoredCall[]>(calls.index(BY_PLACE).getAll(place));
  return stored.toReversed();
}

/** Keeps a call, for good when it resolves, and returns its id; lets go of the oldest when there are too many. */
export async function keepCall(place: string, call: NewCall): Promise<number> {
  const database = await openDatabase();
  const transaction = database.transaction(CALLS, 'readwrite');
  const calls = transaction.objectStore(CALLS);
  const added = resultOf(calls.add({ ...cut(call), place }));
  const trimmed = resultOf(calls.index(BY_PLACE).getAllKeys(place)).then((ids) => {
    for (const old of ids.slice(0, -MOST_CALLS)) calls.delete(old);
  });
  const [id] = await Promise.all([added, trimmed, kept(transaction)]);
  return Number(id);
}

/** Forgets the calls of one place, for good when it resolves. */
export async function forgetCalls(place: string): Promise<void> {
  const database = await openDatabase();
  const transaction = database.transaction(CALLS, 'readwrite');
  const calls = transaction.objectStore(CALLS);
  const ids = resultOf(calls.index(BY_PLACE).getAllKeys(place)).then((all) => {
    for (const id of all) calls.delete(id);
  });
  await Promise.all([ids, kept(transaction)]);
}

function cut(call: NewCall): NewCall {
  const { args, outcome } = call;
  return {
    ...call,
    args: args !== undefined && args.length > LONGEST ? undefined : args,
    outcome:
      outcome.kind === 'reply' && outcome.bytes.length > LONGEST
        ? { kind: 'cut', length: outcome.bytes.length }
        : outcome,
  };
}

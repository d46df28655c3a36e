import { randomBytes } from 'node:crypto';
import type { Db } from '../src/db/tx.ts';

/** Collects what does not hold. */
export class Findings {
  readonly all: string[] = [];

  equal(what: string, found: unknown, wanted: unknown): void {
    if (found !== wanted) this.all.push(`${what} is ${String(found)} and should be ${String(wanted)}`);
  }
}

/** Balance of the only account. */
export async function balanceOf(db: Db): Promise<bigint> {
  const { balance } = await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  return balance;
}

/** What happened to a canister, in order. */
export async function changesOf(db: Db, id: string): Promise<string> {
  const rows = await db
    .selectFrom('canister_changes')
    .select('kind')
    .where('canister_id', '=', id)
    .orderBy('seq')
    .execute();
  return rows.map(({ kind }) => kind).join(', ');
}

/** Where the code of a canister came from and which code that is, as it is written down. */
export async function originOf(db: Db, id: string): Promise<string> {
  const row = await db
    .selectFrom('canisters')
    .select(['origin', 'origin_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
  const { origin, origin_hash: hash } = row ?? {};
  return origin?.kind === 'dapp' ? `dapp ${origin.version} ${hash}` : `${origin?.kind} ${hash}`;
}

export const SMALL_MODULE_BYTES = 1000;
/** Beyond one message, so that it goes through the chunk store. */
export const LARGE_MODULE_BYTES = 2_100_000;

/** A module that does nothing and that nobody else has: the header, and a custom section named 'x' of random bytes. */
export function moduleOf(bytes: number): Uint8Array {
  const length: number[] = [];
  for (let rest = bytes + 2; rest > 0; rest = Math.floor(rest / 128))
    length.push(rest >= 128 ? (rest % 128) + 128 : rest);
  const header = Buffer.from('\0asm\x01\0\0\0', 'latin1');
  return Buffer.concat([header, Buffer.from([0, ...length, 1, 0x78]), randomBytes(bytes)]);
}

/** How many answers are kept for a request that is sent again under its key. */
export async function countKeptAnswers(db: Db, key: string): Promise<number> {
  const rows = await db.selectFrom('kept_answers').select('answer').where('request_key', '=', key).execute();
  return rows.length;
}

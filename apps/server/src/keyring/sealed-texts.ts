import { sql } from 'kysely';
import type { Reader, Tx } from '../db/tx.ts';
import { AppError } from '../errors.ts';
import { SealError, sealingOf } from '../sealing.ts';
import { idOfKey, type Keyring, markOfKey } from './keyring.ts';

/** Seals for the database, in one transaction. */
interface Sealer {
  /** @param place where the sealed text belongs, such as a row; it opens for no other */
  seal(text: string, place: string): Buffer;
}

/** Keeps texts in the database so that a copy of the database does not tell them. */
export interface Sealing {
  /**
   * Whoever writes sealed texts, new ones or such as were there, begins with this: until the end of the transaction the key does not
   * change, and no key that opens anything is taken away.
   * @throws AppError storage_unavailable where this process does not have the key that the database names
   */
  sealer(tx: Tx): Promise<Sealer>;
  /** Seals what stays in this process. */
  sealForNow(text: string, place: string): Buffer;
  /** @throws SealError */
  open(sealed: Uint8Array, place: string): string;
}

/** Before everything else: that it is such a text, and how it is sealed (1: AES-256-GCM, as sealing.ts has it). */
const BEGINNING = Buffer.from('cnr\x01', 'latin1');
const ID_BYTES = 8;

/** What each text that a key has sealed begins with. */
export function headerOf(key: Buffer): Buffer {
  return Buffer.concat([BEGINNING, Buffer.from(idOfKey(key), 'hex')]);
}

/** Seals by a key: header, then what `sealingOf` makes, which holds the header as well. */
export function sealBy(key: Buffer, text: string, place: string): Buffer {
  const header = headerOf(key);
  return Buffer.concat([header, sealingOf(key).seal(text, boundTo(header, place))]);
}

function boundTo(header: Uint8Array, place: string): string {
  return `${Buffer.from(header).toString('hex')} ${place}`;
}

/** Opens what `sealBy` has sealed, and what was sealed before texts named their key. @throws SealError */
export function openBy(keyring: Pick<Keyring, 'find' | 'all'>, sealed: Uint8Array, place: string): string {
  const isNamed = BEGINNING.equals(sealed.subarray(0, BEGINNING.length));
  const header = sealed.subarray(0, BEGINNING.length + ID_BYTES);
  const id = Buffer.from(header.subarray(BEGINNING.length)).toString('hex');
  const key = isNamed ? keyring.find(id) : undefined;
  if (key !== undefined) {
    const text = textOr(() => sealingOf(key).open(sealed.subarray(header.length), boundTo(header, place)));
    if (text !== undefined) return text;
  }
  // One of 2^32 texts of before begins in the same way; what does not fit a key never opens with it.
  for (const one of keyring.all()) {
    const text = textOr(() => sealingOf(one).open(sealed, place));
    if (text !== undefined) return text;
  }
  throw new SealError(
    isNamed && key === undefined
      ? `A sealed text names the key ${id}, which this server does not have.`
      : 'A sealed text does not open with the keys of this server.',
  );
}

function textOr(open: () => string): string | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

const LOCK = sql`hashtext('cannery.secrets-key')`;

/** Waits until nobody writes sealed texts, and lets nobody until the end of the transaction. */
export async function holdSealing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
}

/** The key that seals: that of which the database has the mark, else that of the file. Undefined where this process does not have it. */
export async function sealingKey(db: Reader, keyring: Keyring): Promise<Buffer | undefined> {
  const mark = await db
    .selectFrom('deployment_marks')
    .select('value')
    .where('name', '=', 'secrets-key')
    .executeTakeFirst();
  const { current } = keyring.keys();
  if (mark === undefined || mark.value === markOfKey(current)) return current;
  return [...keyring.all()].find((key) => markOfKey(key) === mark.value);
}

/** The sealing of a server. */
export function createSealing(keyring: Keyring): Sealing {
  return {
    async sealer(tx) {
      await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(tx);
      const key = await sealingKey(tx, keyring);
      if (key === undefined) {
        throw new AppError('storage_unavailable', 'Secrets cannot be kept at the moment.', {
          detail: 'This server does not have the key that secrets are sealed with since the last rotation.',
        });
      }
      return { seal: (text, place) => sealBy(key, text, place) };
    },
    sealForNow: (text, place) => sealBy(keyring.keys().current, text, place),
    open: (sealed, place) => openBy(keyring, sealed, place),
  };
}

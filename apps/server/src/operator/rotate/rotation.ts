import { existsSync } from 'node:fs';
import { type Db, transactOn, type Tx } from '../../db/tx.ts';
import { StartError } from '../../errors.ts';
import { newKey, replaceKeys } from '../../keyring/key-file.ts';
import { Keyring, keyFileOf, markOfKey } from '../../keyring/keyring.ts';
import { headerOf, holdSealing, openBy, sealBy, sealingKey } from '../../keyring/sealed-texts.ts';
import { SealError } from '../../sealing.ts';
import { rowsUnlike, SEALED_TABLES, writeSealed } from './sealed-rows.ts';

/** Rows of a transaction: nobody else writes a secret meanwhile, for some milliseconds. */
const ROWS = 50;

/** What a rotation has done so far; each is on disk, and a rotation that ends there is taken up by the next one. */
export type Step = 'prepared' | 'switched' | 'promoted' | 'sealed';

interface Rotation {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly path: string;
  readonly reached: (step: Step) => void | Promise<void>;
}

/**
 * @throws StartError where there is no file, or one of which no key opens what the database has: another server's
 * @param reached told after each step, and after each transaction that has sealed rows again
 */
export async function openRotation(
  db: Db,
  where: Parameters<typeof keyFileOf>[0],
  reached: Rotation['reached'] = () => undefined,
): Promise<Rotation> {
  const { path } = keyFileOf(where);
  if (!existsSync(path)) throw new StartError(`There is no file ${path}. Set SECRETS_KEY_FILE, or DATA_DIR.`);
  const rotation = { db, keyring: await Keyring.open(where), path, reached };
  await transactOn(db)(async (tx) => {
    // With the header of no key these are all rows.
    const header = headerOf(newKey());
    const first = await Promise.all(
      SEALED_TABLES.map((table) => rowsUnlike(tx, table, { header, after: undefined, most: 1 })),
    );
    if (first.flat().length === 0 || (await openableRow(tx, rotation, header)) !== undefined) return;
    throw new StartError(
      `No key of ${path} opens any secret of this database. It is the file of another one.`,
    );
  });
  return rotation;
}

/** The key that seals, which the file must have. */
async function currentKey(tx: Tx, { keyring, path }: Rotation): Promise<Buffer> {
  const key = await sealingKey(tx, keyring);
  if (key !== undefined) return key;
  throw new StartError(
    `${path} does not have the key that this database seals with. Run this where the last rotation was run.`,
  );
}

/** Whether the last rotation has left rows that its key has not sealed yet. */
async function isUnfinished(tx: Tx, rotation: Rotation, current: Buffer): Promise<boolean> {
  if (rotation.keyring.keys().old.length === 0) return false;
  return (await openableRow(tx, rotation, headerOf(current))) !== undefined;
}

/**
 * Makes a key that will seal, beside the one that does. What was prepared before is kept.
 * @throws StartError where the file cannot be written
 */
export async function prepareKey(rotation: Rotation): Promise<void> {
  await transactOn(rotation.db)(async (tx) => {
    await holdSealing(tx);
    await currentKey(tx, rotation);
    const keys = rotation.keyring.keys();
    if (keys.next === undefined) await replaceKeys(rotation.path, { ...keys, next: newKey() });
  });
  await rotation.reached('prepared');
}

/**
 * Has the prepared key seal from now on. The database says which key seals, so this happens for all processes at one moment; the file follows.
 */
async function switchKey(rotation: Rotation): Promise<void> {
  const { db, keyring, path, reached } = rotation;
  await transactOn(db)(async (tx) => {
    await holdSealing(tx);
    const { next } = keyring.keys();
    if (next === undefined) return;
    const value = markOfKey(next);
    await tx
      .insertInto('deployment_marks')
      .values({ name: 'secrets-key', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  });
  await reached('switched');
  await transactOn(db)(async (tx) => {
    await holdSealing(tx);
    const { current, next, old } = keyring.keys();
    if (next === undefined || !next.equals(await currentKey(tx, rotation))) return;
    await replaceKeys(path, { current: next, next: undefined, old: [current, ...old] });
  });
  await reached('promoted');
}

export interface Sealed {
  /** Texts that the key has sealed now. */
  readonly sealed: number;
  /** Texts that no key of the file opens; they are left as they are. */
  readonly lost: number;
}

/**
 * A new key from now on, and everything sealed again with it. A rotation that was cut off is finished in place of another one.
 * @throws StartError where the file cannot be written, or lacks the key that seals
 */
export async function rotateKey(rotation: Rotation): Promise<Sealed> {
  const { db, keyring } = rotation;
  const goesOn = await transactOn(db)(async (tx) => {
    await holdSealing(tx);
    const current = await currentKey(tx, rotation);
    const { next } = keyring.keys();
    return next === undefined && (await isUnfinished(tx, rotation, current));
  });
  if (!goesOn) {
    await prepareKey(rotation);
    await switchKey(rotation);
  }
  return await sealAgain(rotation);
}

async function sealAgain(rotation: Rotation): Promise<Sealed> {
  let [sealed, lost] = [0, 0];
  for (const table of SEALED_TABLES) {
    let after: readonly string[] | undefined;
    do {
      const done = await transactOn(rotation.db)(async (tx) => {
        await holdSealing(tx);
        const key = await currentKey(tx, rotation);
        const rows = await rowsUnlike(tx, table, { header: headerOf(key), after, most: ROWS });
        let opened = 0;
        for (const row of rows) {
          const text = textOf(rotation, row.sealed, table.placeOf(row.key));
          if (text === undefined) continue;
          opened += 1;
          await writeSealed(tx, table, { ...row, sealed: sealBy(key, text, table.placeOf(row.key)) });
        }
        return { opened, lost: rows.length - opened, last: rows.at(-1)?.key };
      });
      sealed += done.opened;
      lost += done.lost;
      after = done.last;
      if (done.opened > 0) await rotation.reached('sealed');
    } while (after !== undefined);
  }
  return { sealed, lost };
}

function textOf({ keyring }: Rotation, sealed: Buffer, place: string): string | undefined {
  try {
    return openBy(keyring, sealed, place);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** The table of a text that a key opens and that has not this header; undefined where there is none. */
async function openableRow(tx: Tx, rotation: Rotation, header: Buffer): Promise<string | undefined> {
  for (const table of SEALED_TABLES) {
    let after: readonly string[] | undefined;
    do {
      const rows = await rowsUnlike(tx, table, { header, after, most: ROWS });
      if (rows.some(({ key, sealed }) => textOf(rotation, sealed, table.placeOf(key)) !== undefined))
        return table.name;
      after = rows.at(-1)?.key;
    } while (after !== undefined);
  }
  return undefined;
}

/**
 * Takes the keys that only open out of the file. Whoever seals waits meanwhile, so that nothing is sealed with them behind the last look.
 * @returns how many there were
 * @throws StartError while they open anything
 */
export async function retireKeys(rotation: Rotation): Promise<number> {
  const { db, keyring, path } = rotation;
  return await transactOn(db)(async (tx) => {
    await holdSealing(tx);
    const current = await currentKey(tx, rotation);
    const keys = keyring.keys();
    const table = await openableRow(tx, rotation, headerOf(current));
    if (table !== undefined || !keys.current.equals(current)) {
      throw new StartError(
        `Old keys are still needed (${table ?? 'a rotation was cut off'}). Run this without --retire first.`,
      );
    }
    if (keys.old.length > 0) await replaceKeys(path, { ...keys, old: [] });
    return keys.old.length;
  });
}

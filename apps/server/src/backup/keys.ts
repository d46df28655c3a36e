import { randomBytes, scrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { StartError, textOf } from '../errors.ts';
import { SealError, sealingOf } from '../sealing.ts';
import { isThere, writeNew } from './backup-files.ts';

/** What a backup calls them, and where a data folder has them unless settings name another place. */
const KEYS = { secrets: 'secrets.key', identity: 'ic-identity.json' } as const;
const FILE = 'keys.sealed.json';
/** 128 MiB and about half a second for each guess; what OWASP recommends for scrypt. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** A passphrase that is read from a file, in characters. */
const LEAST_LENGTH = 12;

const sealedSchema = z.strictObject({ salt: z.base64(), sealed: z.base64().max(1_000_000) });
/** Names of files that a restore puts into the data folder, with their texts. */
const contentSchema = z.partialRecord(
  z.enum(['secrets.key', 'ic-identity.json', 'ic-identity.pem']),
  z.string(),
);

const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** @throws StartError when there is no passphrase in the file */
export async function passphraseIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`The passphrase file cannot be read: ${textOf(error)}`);
  });
  const passphrase = text.trim();
  if (passphrase.length < LEAST_LENGTH)
    throw new StartError(`${file} must hold a passphrase of ${LEAST_LENGTH} characters at least.`);
  return passphrase;
}

/** Puts the key of secrets and the identity of the server into a backup, sealed by a passphrase. */
export async function sealKeys(
  { dataDir, secretsKeyFile, identityFile }: Pick<Config, 'dataDir' | 'secretsKeyFile' | 'identityFile'>,
  folder: string,
  passphrase: string,
): Promise<void> {
  const content: z.infer<typeof contentSchema> = {};
  const secrets = secretsKeyFile ?? join(dataDir, KEYS.secrets);
  if (await isThere(secrets)) content['secrets.key'] = await readFile(secrets, 'utf8');
  if (identityFile !== undefined) content['ic-identity.pem'] = await readFile(identityFile, 'utf8');
  else if (await isThere(join(dataDir, KEYS.identity)))
    content['ic-identity.json'] = await readFile(join(dataDir, KEYS.identity), 'utf8');
  const salt = randomBytes(SALT_BYTES);
  const sealing = sealingOf(await derive(passphrase, salt, KEY_BYTES, SCRYPT));
  const sealed = sealing.seal(JSON.stringify(content), FILE);
  await writeNew(join(folder, FILE), [
    JSON.stringify({ salt: salt.toString('base64'), sealed: sealed.toString('base64') }),
  ]);
}

/** Puts them into a data folder. @returns their names @throws StartError for another passphrase */
export async function openKeys(folder: string, dataDir: string, passphrase: string): Promise<string[]> {
  const { salt, sealed } = sealedSchema.parse(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
  const sealing = sealingOf(await derive(passphrase, Buffer.from(salt, 'base64'), KEY_BYTES, SCRYPT));
  let text: string;
  try {
    text = sealing.open(Buffer.from(sealed, 'base64'), FILE);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new StartError('The keys in the backup do not open with this passphrase.', { cause: error });
  }
  const keys = Object.entries(contentSchema.parse(JSON.parse(text)));
  for (const [name, value] of keys) await writeNew(join(dataDir, name), [value]);
  return keys.map(([name]) => name);
}

import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { StartError } from '../errors.ts';
import { passphraseIn } from './keys.ts';
import { readManifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { runCommand } from '../operator/run-command.ts';

const HELP = `Makes an empty data folder what it was when a backup was taken. The server must not run.

  --from FOLDER     the backup
  --with-keys FILE  opens the keys in it by the passphrase in FILE
  --without-keys    leaves the keys in it where they are

DATA_DIR and DATABASE_URL name an empty folder and an empty database.
`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      'with-keys': { type: 'string' },
      'without-keys': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return HELP.trimEnd();
  if (values.from === undefined) throw new StartError(`Name the backup.\n\n${HELP}`);
  const file = values['with-keys'];
  const { hasKeys } = await readManifest(resolve(values.from));
  if (hasKeys && file === undefined && !values['without-keys'])
    throw new StartError(
      'The backup has keys. Give their passphrase by --with-keys FILE, or say --without-keys.',
    );
  if (!hasKeys && file !== undefined) throw new StartError('The backup has no keys.');
  const config = configOf(readEnv(process.env));
  const passphrase = file === undefined ? undefined : await passphraseIn(file);
  const { manifest, keys, renamed } = await restoreBackup({ config, from: values.from, passphrase });
  const lines = [
    `${config.dataDir} is what it was at ${manifest.takenAt}. Start it with npm start.`,
    ...renamed,
  ];
  if (keys.length === 0)
    lines.push(
      `Before that put secrets.key and ic-identity.json of the old data folder into it, or name them by SECRETS_KEY_FILE and IC_IDENTITY_FILE. A server that finds none makes new ones, which open no secret and control no canister.`,
    );
  if (keys.includes('ic-identity.pem'))
    lines.push(`The identity is ${resolve(config.dataDir)}/ic-identity.pem: set IC_IDENTITY_FILE to it.`);
  lines.push(
    'Everybody has to sign in again. API tokens and git tokens that were deleted since the backup work again.',
  );
  return lines.join('\n');
});

import { parseArgs } from 'node:util';
import { configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { StartError } from '../errors.ts';
import { noteCommand } from './note-command.ts';
import { openRotation, prepareKey, retireKeys, rotateKey } from './rotate/rotation.ts';
import { runCommand } from './run-command.ts';
import { withDatabase } from './with-database.ts';

const HELP = `Makes a new key of secrets and seals everything again with it, whether servers run or not. Cut off, it goes on when it is run again.

  --prepare   only puts the new key into the file: for servers with a copy of the file each, which get it before it is used
  --retire    takes the former keys out of the file, when nothing needs them any more

DATA_DIR, DATABASE_URL and SECRETS_KEY_FILE are those of the server. See docs/operations/secrets.md.
`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      prepare: { type: 'boolean', default: false },
      retire: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return HELP.trimEnd();
  if (values.prepare && values.retire) throw new StartError(`Choose one of them.\n\n${HELP}`);
  const config = configOf(readEnv(process.env));
  return withDatabase(async (db) => {
    const rotation = await openRotation(db, config);
    if (values.prepare) {
      await prepareKey(rotation);
      noteCommand('rotate-secrets-key');
      return 'The new key is in the file, and seals nothing yet. Copy the file to all servers, then run this without --prepare.';
    }
    if (values.retire) {
      const retired = await retireKeys(rotation);
      noteCommand('rotate-secrets-key');
      return `Keys that are taken out of the file: ${retired}. Servers that run forget them when they are started again.`;
    }
    const { sealed, lost } = await rotateKey(rotation);
    noteCommand('rotate-secrets-key');
    const done = `Secrets that are sealed with the new key: ${sealed}. The former key still opens; --retire takes it away.`;
    return lost === 0 ? done : `${done}\nSecrets that no key opens, which were lost before: ${lost}.`;
  });
});

import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { configOf } from '../config/config.ts';
import { options, readEnv } from '../config/env.ts';
import { StartError } from '../errors.ts';
import { passphraseIn } from './keys.ts';
import { checkBackup, type Manifest } from './manifest.ts';
import { runCommand } from '../operator/run-command.ts';
import { takeBackup } from './take-backup.ts';

const HELP = `Copies everything that must survive to a new folder, whether the server runs or not.

  --to FOLDER       a folder that is not there yet
  --with-keys FILE  also the key of secrets and the identity of the server, sealed by the passphrase in FILE
  --with-bucket     also the uploads in the bucket of BLOBS_S3_URL, which are left there otherwise

  --check FOLDER    reads every byte of a backup and says whether it is whole

DATA_DIR, DATABASE_URL and the other settings are those of the server.
`;

/** Values that are shown in a backup must not open anything. */
const MAY_BE_SECRET = /SECRET|KEY|PASSWORD|TOKEN|DATABASE_URL|S3/;

function settingsOf(env: NodeJS.ProcessEnv): Manifest['settings'] {
  const names = Object.keys(options).flatMap((name) => [name, `${name}_FILE`]);
  const given = names.filter((name) => env[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => [name, MAY_BE_SECRET.test(name) ? null : (env[name] ?? null)]),
  );
}

function tell({
  takenAt,
  heldMs,
  openPayments,
  files,
  rows,
  repositories,
  hasKeys,
  uploads,
}: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const lines = [
    `Moment: ${takenAt}. ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB; ${rows['canisters'] ?? 0} canisters, ${rows['transactions'] ?? 0} transactions, ${repositories} repositories.`,
  ];
  if (heldMs !== null) lines.push(`Payments stood still for ${heldMs.toFixed(0)} ms.`);
  if (openPayments > 0)
    lines.push(
      `${openPayments} payments are open in it. Those that were cut off are decided at the first start after a restore; later than five minutes after they were sent, the network may no longer tell what became of them.`,
    );
  if (uploads !== 'copied') lines.push('Uploads stay in the bucket, which needs its own backup.');
  if (!hasKeys)
    lines.push(
      'The keys are not in it. Keep secrets.key and ic-identity.json of the data folder elsewhere: without them the secrets of builds are lost, and on another network the canisters as well.',
    );
  return lines.join('\n');
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      check: { type: 'string' },
      'with-keys': { type: 'string' },
      'with-bucket': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return HELP.trimEnd();
  if (values.check !== undefined) {
    const manifest = await checkBackup(resolve(values.check));
    return `The backup is whole.\n${tell(manifest)}`;
  }
  if (values.to === undefined) throw new StartError(`Name a folder.\n\n${HELP}`);
  const file = values['with-keys'];
  const { manifest, elsewhere } = await takeBackup({
    config: configOf(readEnv(process.env)),
    to: values.to,
    passphrase: file === undefined ? undefined : await passphraseIn(file),
    withBucket: values['with-bucket'],
    settings: settingsOf(process.env),
  });
  const lines = [`${resolve(values.to)} is a backup.`, tell(manifest)];
  if (elsewhere > 0)
    lines.push(
      `The repositories of ${elsewhere} users are not in it: they are in folders of git roles. Keep copies of these as well (REPOSITORIES_BACKUP, or REPOSITORIES_DIR of such a role for this command).`,
    );
  return lines.join('\n');
});

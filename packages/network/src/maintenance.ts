import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KEY_FILE } from '@cannery/ic/certification/signatures/keys';
import { requestBackup } from '@cannery/store/backup/backup-socket';
import { DurableStore } from '@cannery/store/durable-store';
import { BackupError } from '@cannery/store/files/errors';
import { resetDirectory } from '@cannery/store/files/reset-directory';
import { restoreBackup } from '@cannery/store/backup/restore-backup';
import { UsageError } from './usage-error.ts';

/** The commands for data folders, by name; each gets its arguments and returns what to tell the user. */
export const MAINTENANCE: Readonly<Record<string, (args: readonly string[]) => Promise<string> | string>> = {
  backup,
  restore,
  reset,
};

async function backup(args: readonly string[]): Promise<string> {
  const { folder, to } = folderAndTarget('backup', args);
  if (!existsSync(folder)) throw new BackupError(`There is no folder ${folder}.`);
  if (!(await requestBackup(folder, to))) await backupStopped(folder, to);
  return `${to} holds a backup of ${folder}. Bring it back with: cannery-network restore ${to} --to <new folder>`;
}

/** Nobody runs the network, so this process is its owner for a moment. */
async function backupStopped(folder: string, to: string): Promise<void> {
  if (!existsSync(resolve(folder, KEY_FILE)))
    throw new BackupError(`${folder} is not the data folder of a network.`);
  const store = DurableStore.open(folder);
  try {
    await store.backup(to);
  } finally {
    await store.close();
  }
}

function restore(args: readonly string[]): string {
  const { folder, to } = folderAndTarget('restore', args);
  restoreBackup(folder, to);
  return `${to} holds what ${folder} does. Start it with: cannery-network --data-dir ${to}`;
}

function reset(args: readonly string[]): string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false } },
  });
  const [given, ...rest] = positionals;
  if (given === undefined || rest.length > 0) throw new UsageError('reset needs one data folder');
  const folder = resolve(given);
  if (!values.yes)
    throw new UsageError(`reset deletes all canisters and the keys in ${folder}; confirm that with --yes`);
  resetDirectory(folder, [KEY_FILE]);
  return `${folder} is empty; the next start makes a new network there.`;
}

function folderAndTarget(command: string, args: readonly string[]): { folder: string; to: string } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { to: { type: 'string' } },
  });
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UsageError(`${command} needs one folder`);
  if (values.to === undefined) throw new UsageError(`${command} needs --to <new folder>`);
  return { folder: resolve(folder), to: resolve(values.to) };
}

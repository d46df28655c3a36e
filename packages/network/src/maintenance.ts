import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { KEY_FILE } from '@cannery/ic/certification/signatures/keys';
import type { BackupMoment } from '@cannery/store/backup/backup-moment';
import { requestBackup } from '@cannery/store/backup/backup-socket';
import { DurableStore } from '@cannery/store/durable-store';
import { BackupError } from '@cannery/store/files/errors';
import { resetDirectory } from '@cannery/store/files/reset-directory';
import { restoreBackup } from '@cannery/store/backup/restore-backup';
import { writeLauncher } from './icp-launcher.ts';
import { UsageError } from './usage-error.ts';

/** Gets the arguments of a command and returns what to tell the user. */
type Maintenance = (args: readonly string[]) => Promise<string> | string;

/** The commands for data folders. */
const MAINTENANCE: ReadonlyMap<string, Maintenance> = new Map<string, Maintenance>([
  ['backup', backup],
  ['restore', restore],
  ['reset', reset],
  ['icp-launcher', launcher],
]);

/** The command of this name, if there is one. */
export function maintenanceOf(name: string): Maintenance | undefined {
  return MAINTENANCE.get(name);
}

async function backup(args: readonly string[]): Promise<string> {
  const { folder, to, wait } = folderAndTarget('backup', args, true);
  if (!existsSync(folder)) throw new BackupError(`There is no folder ${folder}.`);
  const moment = wait ? momentOfParent() : undefined;
  if (!(await requestBackup(folder, to, moment))) await backupStopped(folder, to, moment);
  return `${to} holds a backup of ${folder}. Bring it back with: cannery-network restore ${to} --to <new folder>`;
}

/** The process that started this one keeps others still: it is told by a line, and says by a line that it is ready. */
function momentOfParent(): BackupMoment {
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  return {
    async ready() {
      process.stdout.write('ready\n');
      if ((await lines.next()).done === true) throw new BackupError('Whoever asked for the backup has gone.');
      // Nothing more is read, so that an open input does not keep this process.
      input.close();
    },
    taken: () => void process.stdout.write('taken\n'),
  };
}

/** Nobody runs the network, so this process is its owner for a moment. */
async function backupStopped(folder: string, to: string, moment?: BackupMoment): Promise<void> {
  if (!existsSync(resolve(folder, KEY_FILE)))
    throw new BackupError(`${folder} is not the data folder of a network.`);
  const store = DurableStore.open(folder);
  try {
    await store.backup(to, moment);
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

function folderAndTarget(
  command: string,
  args: readonly string[],
  mayWait = false,
): { folder: string; to: string; wait: boolean } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { to: { type: 'string' }, wait: { type: 'boolean', default: false } },
  });
  if (values.wait && !mayWait) throw new UsageError(`${command} has no --wait`);
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UsageError(`${command} needs one folder`);
  if (values.to === undefined) throw new UsageError(`${command} needs --to <new folder>`);
  return { folder: resolve(folder), to: resolve(values.to), wait: values.wait };
}

function launcher(args: readonly string[]): string {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } });
  return writeLauncher(values.to);
}

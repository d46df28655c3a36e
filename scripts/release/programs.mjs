import path from 'node:path';
import { root } from '../steps/project.mjs';

/** Programs of the npm package by the commands that run them, and their sources. @type {Readonly<Record<string, string>>} */
export const programs = {
  server: 'apps/server/src/main.ts',
  deposit: 'apps/server/src/operator/deposit.ts',
  'sign-out': 'apps/server/src/operator/sign-out.ts',
  'rotate-secrets-key': 'apps/server/src/operator/rotate-secrets-key.ts',
  backup: 'apps/server/src/backup/backup-command.ts',
  restore: 'apps/server/src/backup/restore-command.ts',
  'restore-repositories': 'apps/server/src/backup/restore-repositories-command.ts',
  cli: 'packages/cli/src/main.ts',
  prepare: 'apps/server/src/prepare.ts',
};

/** Folder of the bundled programs in the package: as deep as that of the checkout, since they find files by their way to the root. */
export const BUILT = 'dist/programs/release';

/**
 * The bundled program of a command, inside the package.
 * @param {string} command
 */
export const built = (command) => path.join(root, BUILT, `${command}.mjs`);

import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFolders } from '../sandbox/sandbox.ts';

/** The command that makes a project of Next.js a static site. */
export const NEXT_EXPORT = 'next-export';

const script = fileURLToPath(new URL('next-export.mjs', import.meta.url));

/** Puts the commands that build commands of sites may name beside the other commands of a build, which its steps can only read. */
export async function writeSiteTools({ root }: Pick<BuildFolders, 'root'>): Promise<void> {
  const folder = join(root, 'commands');
  await copyFile(script, join(folder, 'next-export.mjs'));
  const file = join(folder, NEXT_EXPORT);
  await writeFile(file, `#!/bin/sh\nexec node "\${0%/*}/next-export.mjs"\n`);
  await chmod(file, 0o755);
}

import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFolders } from '../sandbox/sandbox.ts';

/** Commands that scripts of projects call, and that have nothing left to do here. */
const TOOLS = ['dfx', 'icp', 'mops', 'vessel'] as const;
/** Commands that are done here when the machine has none of that name. */
const STAND_INS = ['rsync'] as const;

const script = fileURLToPath(new URL('tools.mjs', import.meta.url));

/**
 * Puts these commands beside the other commands of a build, which are there (`Sandbox.prepare`) and which its steps can read but
 * not write.
 * @param packageSources what `mops sources` answers
 */
export async function writeTools(folders: Pick<BuildFolders, 'root'>, packageSources: string): Promise<void> {
  const places = [
    ['commands', TOOLS],
    ['stand-ins', STAND_INS],
  ] as const;
  for (const [place, names] of places) {
    const folder = join(folders.root, place);
    await copyFile(script, join(folder, 'tools.mjs'));
    for (const name of names) {
      const file = join(folder, name);
      await writeFile(file, `#!/bin/sh\nexec node "\${0%/*}/tools.mjs" ${name} "$@"\n`);
      await chmod(file, 0o755);
    }
  }
  await writeFile(join(folders.root, 'commands', 'package-sources'), packageSources);
}

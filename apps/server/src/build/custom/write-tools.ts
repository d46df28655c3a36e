import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFolders } from '../sandbox.ts';

/** Commands that scripts of projects call. `rsync` stands in where the machine has none. */
const TOOLS = ['dfx', 'icp', 'mops', 'vessel', 'rsync'] as const;

const script = fileURLToPath(new URL('tools.mjs', import.meta.url));

/**
 * Puts these commands beside the other commands of a build, which its steps can read but not write.
 * @param packageSources what `mops sources` answers
 */
export async function writeTools(folders: BuildFolders, packageSources: string): Promise<void> {
  const commands = join(folders.root, 'commands');
  await copyFile(script, join(commands, 'tools.mjs'));
  await writeFile(join(commands, 'package-sources'), packageSources);
  for (const tool of TOOLS) {
    const file = join(commands, tool);
    await writeFile(file, `#!/bin/sh\nexec node "\${0%/*}/tools.mjs" ${tool} "$@"\n`);
    await chmod(file, 0o755);
  }
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The version that the guide names. */
const ICP_VERSION = '1.5.0';
/** The platforms whose program is in a package that works without another download. */
const PACKAGES: Readonly<Record<string, string>> = { 'linux-x64': '@icp-sdk/icp-cli-linux-x64' };

const CACHE = fileURLToPath(new URL('../../../../.cache', import.meta.url));
const run = promisify(execFile);

/**
 * The program `icp`: the one that `ICP_CLI` names, else that of npm, which is fetched once; undefined where npm has none for this
 * machine or cannot be reached.
 */
export async function icpProgram(): Promise<string | undefined> {
  const named = process.env['ICP_CLI'];
  if (named !== undefined) return named;
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const folder = join(CACHE, `icp-cli-${ICP_VERSION}`);
  const program = join(folder, 'node_modules', name, 'bin/icp');
  if (existsSync(program)) return program;
  try {
    await mkdir(folder, { recursive: true });
    const what = ['--no-audit', '--no-fund', '--ignore-scripts', `${name}@${ICP_VERSION}`];
    await run('npm', ['install', '--prefix', folder, ...what]);
  } catch {
    return undefined;
  }
  return existsSync(program) ? program : undefined;
}

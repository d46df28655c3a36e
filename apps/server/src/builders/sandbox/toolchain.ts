import { chmod, mkdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, sep } from 'node:path';
import { shellQuoted } from '../process/shell-quoted.ts';

/** The programs a build gets beside those of the system. */
export interface Toolchain {
  /** The Node binary that runs this server. */
  node: string;
  /** Folder of the npm package, with `bin/npm-cli.js` in it. */
  npm: string;
}

/** The machine has no npm, so packages cannot be installed. */
export class NoNpmError extends Error {
  override readonly name = 'NoNpmError';
}

async function npmOf(script: string): Promise<string | null> {
  try {
    const folder = dirname(dirname(await realpath(script)));
    await stat(join(folder, 'bin', 'npm-cli.js'));
    return folder;
  } catch {
    return null;
  }
}

/**
 * Finds Node and npm. npm is the one that started the server, else the first on the search path.
 * @throws NoNpmError when there is none.
 */
export async function findToolchain(env: NodeJS.ProcessEnv): Promise<Toolchain> {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith(sep));
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const candidates = [env.npm_execpath, ...folders.map((folder) => join(folder, 'npm')), beside];
  for (const candidate of candidates) {
    const npm = candidate === undefined ? null : await npmOf(candidate);
    if (npm !== null) return { node: await realpath(process.execPath), npm };
  }
  throw new NoNpmError(
    'npm was not found on the PATH of the server. Install npm (it comes with Node.js) and start again.',
  );
}

/**
 * What `yarn`, `pnpm` and `bun` do in a build where they are not installed: packages are there already, scripts run by
 * npm. What npm cannot do is refused, since a command that does nothing would look like one that worked.
 */
const STAND_IN = `#!/bin/sh
name=\${0##*/}
case "\${1-install}" in
  install | i | --frozen-lockfile | --immutable | --prefer-offline | --non-interactive) exit 0 ;;
  run) shift ;;
  exec | dlx | x) shift; exec npx --no-install "$@" ;;
  -* | workspace | workspaces)
    echo "$name $1: $name is not installed here, and npm does not know this. Set packageManager in package.json." >&2
    exit 1 ;;
esac
exec npm run "$@"
`;
const STAND_INS: Readonly<Record<string, string>> = {
  yarn: STAND_IN,
  pnpm: STAND_IN,
  bun: STAND_IN,
  // The tools it would make ready are ready.
  corepack: '#!/bin/sh\nexit 0\n',
  bunx: '#!/bin/sh\nif command -v bun >/dev/null; then exec bun x "$@"; fi\nexec npx --no-install "$@"\n',
};

async function writeScript(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o755);
}

/**
 * Writes two folders of commands below `root`: `commands` (node, npm and npx of the toolchain), which comes first on a
 * build's search path, and `stand-ins`, which comes last.
 * @param seen the toolchain's paths as the build sees them.
 */
export async function writeCommands(root: string, seen: Toolchain): Promise<void> {
  const commands = join(root, 'commands');
  const standIns = join(root, 'stand-ins');
  for (const folder of [commands, standIns]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  await symlink(seen.node, join(commands, 'node'));
  for (const command of ['npm', 'npx'] as const) {
    const script = join(seen.npm, 'bin', `${command}-cli.js`);
    await writeScript(
      join(commands, command),
      `#!/bin/sh\nexec ${shellQuoted(seen.node)} ${shellQuoted(script)} "$@"\n`,
    );
  }
  for (const [tool, text] of Object.entries(STAND_INS)) await writeScript(join(standIns, tool), text);
}

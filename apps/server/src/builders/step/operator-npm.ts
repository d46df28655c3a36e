import { readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Workspace } from '../disks/workspace.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Toolchain } from '../sandbox/toolchain.ts';

/** What of the operator's own npm settings holds for builds. Credentials do not: a build belongs to a user. */
export interface OperatorNpm {
  readonly registry: string;
  /** Lines of npmrc files: registries of scopes, certificates, patience. */
  readonly lines: readonly string[];
  /** Every registry above. */
  readonly registries: readonly string[];
  /** Whether certificates of registries are checked. */
  readonly strictSsl: boolean;
  /** Files with certificates to trust, by the variable that names them. */
  readonly certificates: ReadonlyMap<string, string>;
}

/** npm's own. */
const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';

/** Settings of the operator's npmrc files that are passed on. */
const SETTINGS = /^(?:ca|ca\[\]|fetch-[a-z-]+|maxsockets|@[\w.-]+:registry)\s*=/;

/** Variables that name a file with certificates; the last is what npm's `cafile` becomes. */
const CERTIFICATE_FILES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'npm_config_cafile'];

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** The `key = value` lines of npmrc files; what comes last counts. */
async function readLines(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => text.split(/\r?\n/)).map((line) => line.trim());
}

function valueOf(lines: readonly string[], key: string): string | undefined {
  const found = lines.filter((line) => line.startsWith(key) && /^\s*=/.test(line.slice(key.length))).at(-1);
  return found?.slice(found.indexOf('=') + 1).trim();
}

/**
 * Reads how the operator's npm reaches its registries, from environment and npmrc files as npm itself would.
 * @param env the server's environment
 */
export async function readOperatorNpm(toolchain: Toolchain, env: NodeJS.ProcessEnv): Promise<OperatorNpm> {
  const builtin = join(dirname(toolchain.npm), '..', '..', 'etc', 'npmrc');
  const files = [
    env.npm_config_globalconfig ?? builtin,
    '/etc/npmrc',
    env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
  ];
  const all = await readLines(files);
  const setting = (key: string): string | undefined =>
    env[`npm_config_${key.replaceAll('-', '_')}`] ?? valueOf(all, key);
  const registry = setting('registry') ?? DEFAULT_REGISTRY;
  const lines = all.filter((line) => SETTINGS.test(line));
  const scoped = lines
    .filter((line) => line.startsWith('@'))
    .map((line) => line.slice(line.indexOf('=') + 1).trim());
  const certificates = new Map<string, string>();
  for (const name of CERTIFICATE_FILES) {
    const path = name === 'npm_config_cafile' ? setting('cafile') : env[name];
    if (path !== undefined && (await isFile(path))) certificates.set(name, path);
  }
  return {
    registry,
    lines,
    registries: [registry, ...scoped],
    strictSsl: setting('strict-ssl') !== 'false',
    certificates,
  };
}

/** What the step that installs packages needs to reach the registry; nothing else of the server's environment. */
export interface NpmEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** The same without the user's caches, for steps of the server that have nothing of a project. */
  readonly ownEnv: Readonly<Record<string, string>>;
  /** The same for install scripts, which are the project's own code: they see no cache but one in their home. */
  readonly scriptEnv: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, string>;
}

/** Folder in which a build with a separate root sees these files. */
const INSIDE = '/etc/cannery';

/**
 * npm takes a value from its command line, else from the environment, and only then from the project's .npmrc. So what
 * names a program, a file, an address or a place to write is decided here, also for an npm that npm itself starts.
 */
function decided(operator: OperatorNpm, home: string): Record<string, string> {
  return {
    npm_config_registry: operator.registry,
    npm_config_strict_ssl: String(operator.strictSsl),
    npm_config_git: 'git',
    npm_config_script_shell: '/bin/sh',
    npm_config_shell: '/bin/sh',
    npm_config_editor: 'false',
    npm_config_viewer: 'false',
    npm_config_browser: 'false',
    npm_config_ignore_scripts: 'true',
    // The default of Node, since npm takes an empty value for none given.
    npm_config_node_options: '--unhandled-rejections=throw',
    npm_config_global: 'false',
    npm_config_location: 'project',
    npm_config_prefix: join(home, '.npm-global'),
    npm_config_logs_dir: join(home, '.npm-logs'),
    npm_config_init_module: join(home, '.npm-init.js'),
  };
}

/**
 * The environment for `npm` with network: registry and certificates of the operator, a separate cache, and everything
 * that a project's .npmrc must not decide.
 */
export async function npmEnvironment(
  sandbox: Pick<Sandbox, 'ownRoot' | 'seen'>,
  folders: Workspace,
  operator: OperatorNpm,
): Promise<NpmEnvironment> {
  const files = new Map<string, string>();
  /** Gives a file of the operator a place in the sandbox. */
  const place = (path: string, name: string): string => {
    if (!sandbox.ownRoot) return path;
    files.set(`${INSIDE}/${name}`, path);
    return `${INSIDE}/${name}`;
  };
  const home = sandbox.seen.home(folders);
  const env: Record<string, string> = { ...quietNpm, ...decided(operator, home) };
  for (const [name, path] of operator.certificates) env[name] = place(path, `${name}.pem`);
  const npmrc = join(folders.root, 'etc-npmrc');
  await writeFile(npmrc, `${operator.lines.join('\n')}\n`);
  const none = join(folders.root, 'etc-npmrc-none');
  await writeFile(none, '');
  env.npm_config_userconfig = place(npmrc, 'npmrc');
  env.npm_config_globalconfig = place(none, 'npmrc-none');
  env.npm_config_cache = sandbox.seen.cache(folders.cache);
  const ownEnv = { ...env, npm_config_cache: join(home, '.npm') };
  return { env, ownEnv, scriptEnv: { ...ownEnv, npm_config_ignore_scripts: 'false' }, files };
}

/** npm asks nobody anything and reports nothing to anybody. */
export const quietNpm: Readonly<Record<string, string>> = {
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
  npm_config_progress: 'false',
  npm_config_yes: 'true',
};

import { readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuildFolders, Sandbox } from './sandbox.ts';
import { cachePath } from './sandbox.ts';
import type { Toolchain } from './toolchain.ts';

/** What the step that installs packages needs to reach the registry; nothing else of the server's environment. */
export interface NpmEnvironment {
  readonly env: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, string>;
}

/** Variables of the operator that tell how to reach a registry. None of them gives access to anything. */
const PASSED_ON = [
  'npm_config_registry',
  'npm_config_strict_ssl',
  'npm_config_noproxy',
  'npm_config_https_proxy',
  'npm_config_proxy',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'SSL_CERT_DIR',
];

/** Variables that name a file with certificates. */
const CERTIFICATE_FILES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'npm_config_cafile'];

/** Settings of the operator's npmrc files that are passed on. Credentials are not: a build belongs to a user. */
const SETTINGS =
  /^(?:registry|cafile|ca|ca\[\]|strict-ssl|proxy|https-proxy|noproxy|fetch-[a-z-]+|maxsockets|@[\w.-]+:registry)\s*=/;

/** Folder in which a build with a root of its own sees these files. */
const INSIDE = '/etc/cannery';

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** Gives files of the operator a place in the sandbox. */
class Placed {
  readonly files = new Map<string, string>();
  private readonly ownRoot: boolean;

  constructor(ownRoot: boolean) {
    this.ownRoot = ownRoot;
  }

  async add(path: string, name: string): Promise<string | null> {
    if (!(await isFile(path))) return null;
    if (!this.ownRoot) return path;
    const target = `${INSIDE}/${name}`;
    this.files.set(target, path);
    return target;
  }
}

async function settingLines(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts
    .flatMap((text) => text.split(/\r?\n/))
    .map((line) => line.trim())
    .filter((line) => SETTINGS.test(line));
}

/**
 * The environment for `npm` with network: registry, proxies and certificates of the operator, and a cache of its own.
 * @param operator the server's environment
 */
export async function npmEnvironment(
  sandbox: Pick<Sandbox, 'ownRoot'>,
  folders: BuildFolders,
  toolchain: Toolchain,
  cache: string,
  operator: NodeJS.ProcessEnv,
): Promise<NpmEnvironment> {
  const placed = new Placed(sandbox.ownRoot);
  const env: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = operator[name];
    if (value !== undefined && value !== '') env[name] = value;
  }
  for (const name of CERTIFICATE_FILES) {
    const value = operator[name];
    const path = value === undefined ? null : await placed.add(value, `${name}.pem`);
    if (path !== null) env[name] = path;
  }
  const globalConfig =
    operator.npm_config_globalconfig ?? join(dirname(toolchain.npm), '..', '..', 'etc', 'npmrc');
  const userConfig = operator.npm_config_userconfig ?? join(homedir(), '.npmrc');
  const lines: string[] = [];
  for (const line of await settingLines([globalConfig, '/etc/npmrc', userConfig])) {
    const [key = '', value = ''] = line.split(/\s*=\s*(.*)/s);
    const path = key === 'cafile' ? await placed.add(value, 'npmrc-ca.pem') : null;
    lines.push(path === null ? line : `cafile=${path}`);
  }
  const npmrc = join(folders.root, 'etc-npmrc');
  await writeFile(npmrc, `${lines.join('\n')}\n`);
  const none = join(folders.root, 'etc-npmrc-none');
  await writeFile(none, '');
  env.npm_config_userconfig = (await placed.add(npmrc, 'npmrc')) ?? npmrc;
  env.npm_config_globalconfig = (await placed.add(none, 'npmrc-none')) ?? none;
  env.npm_config_cache = sandbox.ownRoot ? cachePath : cache;
  return { env: { ...env, ...quietNpm }, files: placed.files };
}

/** npm asks nobody anything and reports nothing to anybody. */
export const quietNpm: Readonly<Record<string, string>> = {
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
  npm_config_progress: 'false',
  npm_config_yes: 'true',
};

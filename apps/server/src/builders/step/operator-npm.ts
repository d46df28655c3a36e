import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
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

import { fileURLToPath } from 'node:url';

/** A name nobody has: no address is exempt from the proxy, and npm takes an empty list for none given. */
const NONE = 'none.invalid';

/** The variables by which npm, git, curl, Node and most other programs find a proxy. */
export function proxyEnvironment(address: string): Record<string, string> {
  return {
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    http_proxy: address,
    https_proxy: address,
    NO_PROXY: NONE,
    no_proxy: NONE,
    NODE_USE_ENV_PROXY: '1',
    YARN_HTTP_PROXY: address,
    YARN_HTTPS_PROXY: address,
    npm_config_proxy: address,
    npm_config_https_proxy: address,
    npm_config_noproxy: NONE,
  };
}

/**
 * The configuration of every git that a step starts. It is the user's and not a repository's, since git heeds
 * `safe.bareRepository` from there only (git 2.38): a checkout laid out like a bare repository is then no repository.
 */
export const gitConfigFile = fileURLToPath(new URL('../gitconfig', import.meta.url));

/** What wins over any repository's configuration: no program is started for a password, a hook or a watcher. */
const ABOVE_REPOSITORIES: readonly (readonly [key: string, value: string])[] = [
  ['safe.bareRepository', 'explicit'],
  ['credential.helper', ''],
  ['core.askPass', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.sshCommand', 'false'],
];

/** The environment of every git of a step: https only, nothing of the machine's settings, no question to anybody. */
export function gitEnvironmentOf(configFile: string): Record<string, string> {
  const env: Record<string, string> = {
    GIT_ALLOW_PROTOCOL: 'https',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    GIT_SSH_COMMAND: 'false',
    GIT_CONFIG_COUNT: String(ABOVE_REPOSITORIES.length),
  };
  for (const [index, [key, value]] of ABOVE_REPOSITORIES.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}

import { fileURLToPath } from 'node:url';

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

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bareRepository } from '../../../test/builds/installation-attack.ts';
import { refusedProtocols } from '../../../test/builds/refused-protocols.ts';
import { gitConfigFile, gitEnvironmentOf } from './step-environment.ts';

/**
 * What a hostile checkout or machine tells the git of a build, one thing at a time: a whole installation is guarded by all
 * bounds together (test/builds/installation.integration.test.ts), so it does not show that each of them holds alone.
 */

let folder: string;
let trace: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-quiet-git-'));
  trace = join(folder, 'ran');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  }
}

/** Runs git in the folder as a step would. @param env what the project adds to the environment */
function git(
  args: readonly string[],
  { input = '', env = {} } = {},
): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, ...gitEnvironmentOf(gitConfigFile), ...env },
  });
  return { status, said: stdout + stderr };
}

test('a checkout laid out like a bare repository is none, so its configuration is not read', () => {
  write(bareRepository(`[alias]\n\tattack = "!touch ${trace}"\n`));
  expect(git(['attack']).status).not.toBe(0);
  expect(git(['config', '--get', 'alias.attack']).said).toBe('');
  expect(existsSync(trace)).toBe(false);
});

test.each(refusedProtocols)(
  'the protocol %s is not spoken, whatever a configuration allows',
  (protocol, address) => {
    const allowed = ['-c', 'protocol.allow=always', '-c', `protocol.${protocol}.allow=always`];
    const { status, said } = git([...allowed, 'ls-remote', '--', address(folder, trace)]);
    expect(status).not.toBe(0);
    expect(said).toContain(`transport '${protocol}' not allowed`);
    expect(existsSync(trace)).toBe(false);
  },
);

test("neither the machine's configuration nor one in the home folder counts", () => {
  write({ 'system.config': '[attack]\n\tsystem = read\n', '.gitconfig': '[attack]\n\tuser = read\n' });
  const env = { GIT_CONFIG_SYSTEM: join(folder, 'system.config') };
  for (const key of ['attack.system', 'attack.user'])
    expect(git(['config', '--get', key], { env }).said, key).toBe('');
});

test('no program starts that the configuration of a repository names', () => {
  const run = `touch ${trace}`;
  write({
    'hooks/pre-commit': `#!/bin/sh\n${run}\n`,
    'hooks/post-checkout': `#!/bin/sh\n${run}\n`,
    file: 'x',
  });
  expect(git(['init', '-q']).status).toBe(0);
  const named = {
    'core.hooksPath': join(folder, 'hooks'),
    'core.fsmonitor': run,
    'core.askPass': run,
    'core.sshCommand': run,
    'credential.helper': `!${run}`,
    'user.name': 'x',
    'user.email': 'x@x',
  };
  for (const [key, value] of Object.entries(named)) expect(git(['config', key, value]).status).toBe(0);
  for (const args of [
    ['add', '-A'],
    ['commit', '-q', '-m', 'x'],
    ['checkout', '-q', '-b', 'y'],
    ['status', '-s'],
  ])
    expect(git(args).status, args[0]).toBe(0);
  const login = { input: 'protocol=https\nhost=git.example\n\n' };
  expect(git(['credential', 'fill'], login).status).not.toBe(0);
  expect(existsSync(trace)).toBe(false);
});

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusedProtocols } from '../../../test/builds/refused-protocols.ts';
import { GitError, gitText } from './run-git.ts';

/** What the machine, and a repository of the git host, tell the git of the server, one thing at a time. */

let folder: string;
let trace: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-run-git-'));
  trace = join(folder, 'ran');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** What git says, also when it fails. */
async function said(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return gitText(args, { env }).catch((error: unknown) => {
    if (error instanceof GitError) return error.output;
    throw error;
  });
}

test("neither the machine's configuration nor one in the home folder counts", async () => {
  writeFileSync(join(folder, 'system.config'), '[attack]\n\tsystem = read\n');
  writeFileSync(join(folder, '.gitconfig'), '[attack]\n\tuser = read\n');
  const env = { HOME: folder, GIT_CONFIG_SYSTEM: join(folder, 'system.config') };
  for (const key of ['attack.system', 'attack.user'])
    expect(await said(['config', '--get', key], env), key).toBe('');
});

test('nothing counts that another user of the machine puts into the folder for temporary files', async () => {
  const gitDir = join(folder, 'r.git');
  await gitText(['init', '-q', '--bare', '--', gitDir]);
  mkdirSync(join(folder, '.config', 'git'), { recursive: true });
  writeFileSync(join(folder, '.config', 'git', 'attributes'), '* eol=crlf\n');
  vi.stubEnv('TMPDIR', folder);
  expect(tmpdir()).toBe(folder);
  expect(await said(['--git-dir', gitDir, 'check-attr', 'eol', '--', 'index.html'])).toBe(
    'index.html: eol: unspecified\n',
  );
});

test.each(refusedProtocols)(
  'the protocol %s is not spoken, whatever a configuration allows',
  async (protocol, address) => {
    const allowed = ['-c', 'protocol.allow=always', '-c', `protocol.${protocol}.allow=always`];
    expect(await said([...allowed, 'ls-remote', '--', address(folder, trace)])).toContain(
      `transport '${protocol}' not allowed`,
    );
    expect(existsSync(trace)).toBe(false);
  },
);

test('no hook and no watcher of a repository runs', async () => {
  const gitDir = join(folder, 'r.git');
  const work = join(folder, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'file'), 'x');
  await gitText(['init', '-q', '--bare', '--', gitDir]);
  for (const hook of ['reference-transaction', 'post-index-change']) {
    mkdirSync(join(gitDir, 'hooks'), { recursive: true });
    writeFileSync(join(gitDir, 'hooks', hook), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
  }
  await gitText(['--git-dir', gitDir, 'config', 'core.bare', 'false']);
  await gitText(['--git-dir', gitDir, 'config', 'core.fsmonitor', `touch ${trace}; false`]);
  const place = ['--git-dir', gitDir, '--work-tree', work];
  await gitText([...place, 'add', '-A']);
  const tree = (await gitText([...place, 'write-tree'])).trim();
  const author = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
  const commit = (await gitText([...place, ...author, 'commit-tree', '-m', 'x', tree])).trim();
  await gitText([...place, 'update-ref', 'refs/heads/main', commit]);
  await gitText([...place, 'status', '--short']);
  expect(existsSync(trace)).toBe(false);
});

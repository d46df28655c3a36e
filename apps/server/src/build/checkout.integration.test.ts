import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRepository } from '../git/repository-folder.ts';
import { checkOut, makeFolders } from './checkout.ts';
import type { BuildFolders } from './sandbox.ts';

let root: string;
let gitDir: string;
let folders: BuildFolders;
const never = new AbortController().signal;

function git(cwd: string, args: string[], input?: string): string {
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  return execFileSync('git', args, {
    cwd,
    env,
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).trim();
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'cannery-checkout-'));
  ({ gitDir } = await createRepository(join(root, 'git'), 'ada', 'site'));
  folders = await makeFolders(join(root, 'builds'), 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function commit(prepare: (work: string) => void, branch = 'main', message = 'First'): void {
  const work = mkdtempSync(join(root, 'work-'));
  git(work, ['init', '-q', '-b', 'main']);
  prepare(work);
  git(work, ['add', '-A']);
  git(work, ['commit', '-q', '-m', message]);
  git(work, ['push', '-q', '--force', gitDir, `HEAD:refs/heads/${branch}`]);
}

test('writes the files of the branch, and nothing of git', async () => {
  commit((work) => {
    mkdirSync(join(work, 'src'));
    writeFileSync(join(work, 'src', 'größe.txt'), 'x');
    writeFileSync(join(work, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  });
  const result = await checkOut(folders, { gitDir }, 'main', never);
  expect(result).toMatchObject({
    files: 2,
    links: [],
    submodules: [],
    commit: { subject: 'First', author: 'Ada' },
  });
  expect(readdirSync(folders.source).sort()).toEqual(['run.sh', 'src']);
  expect(readFileSync(join(folders.source, 'src', 'größe.txt'), 'utf8')).toBe('x');
  expect(lstatSync(join(folders.source, 'run.sh')).mode & 0o111).not.toBe(0);
});

test('a branch with a hostile or unknown name is named, with those that exist', async () => {
  commit((work) => writeFileSync(join(work, 'a'), ''), 'feature/x');
  for (const branch of ['main', '--upload-pack=touch pwned', 'feature/x^{tree}', '../../x', 'feature/x\n']) {
    await expect(checkOut(folders, { gitDir }, branch, never)).rejects.toThrow(
      'Branches of the repository: feature/x.',
    );
  }
});

test('an empty repository asks for a push', async () => {
  await expect(checkOut(folders, { gitDir }, 'main', never)).rejects.toThrow('The repository is empty.');
});

describe('a hostile commit', () => {
  test('links become small text files, wherever they lead', async () => {
    writeFileSync(join(root, 'secret'), 'secret');
    commit((work) => {
      symlinkSync('/etc/passwd', join(work, 'passwd'));
      symlinkSync('../../../secret', join(work, 'secret'));
    });
    const { links } = await checkOut(folders, { gitDir }, 'main', never);
    expect(links).toEqual(['passwd', 'secret']);
    expect(lstatSync(join(folders.source, 'passwd')).isFile()).toBe(true);
    expect(readFileSync(join(folders.source, 'passwd'), 'utf8')).toBe('/etc/passwd');
    expect(readFileSync(join(folders.source, 'secret'), 'utf8')).toBe('../../../secret');
  });

  test('filters and hooks it brings along do not run', async () => {
    const canary = join(root, 'canary');
    commit((work) => {
      writeFileSync(join(work, '.gitattributes'), '* filter=evil\n*.txt diff=evil\n');
      writeFileSync(join(work, '.gitconfig'), `[filter "evil"]\n\tsmudge = touch ${canary}\n`);
      writeFileSync(join(work, 'a.txt'), 'x');
    });
    mkdirSync(join(gitDir, 'hooks'), { recursive: true });
    writeFileSync(join(gitDir, 'hooks', 'post-checkout'), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
    await checkOut(folders, { gitDir }, 'main', never);
    expect(existsSync(canary)).toBe(false);
    expect(readFileSync(join(folders.source, 'a.txt'), 'utf8')).toBe('x');
  });

  test('submodules are named and not fetched', async () => {
    commit((work) => {
      writeFileSync(
        join(work, '.gitmodules'),
        '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% pwned\n',
      );
      mkdirSync(join(work, 'x'));
      git(join(work, 'x'), ['init', '-q']);
      git(join(work, 'x'), ['commit', '-q', '--allow-empty', '-m', 'inner']);
    });
    expect((await checkOut(folders, { gitDir }, 'main', never)).submodules).toEqual(['x']);
  });

  test.each(['.git', '.GIT', 'git~1', '..'])('a tree with an entry named %s writes nothing', async (name) => {
    const blob = git(gitDir, ['hash-object', '-w', '--stdin'], 'evil');
    const entry = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
    const file = join(root, 'tree');
    writeFileSync(file, entry);
    const tree = git(gitDir, ['hash-object', '-t', 'tree', '-w', '--literally', file]);
    const id = git(gitDir, ['commit-tree', tree, '-m', 'evil']);
    git(gitDir, ['update-ref', 'refs/heads/main', id]);
    await expect(checkOut(folders, { gitDir }, 'main', never)).rejects.toThrow(
      'Git could not check the commit out',
    );
    expect(readdirSync(folders.source)).toEqual([]);
    expect(existsSync(join(folders.root, 'evil'))).toBe(false);
  });
});

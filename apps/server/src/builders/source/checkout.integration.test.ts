import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { treeOf as readTree } from '../../git/repository/read-repository.ts';
import { createRepository } from '../../git/repository/repository-folder.ts';
import { checkOut as checkOutInto, type Checkout } from './checkout.ts';
import { type TestWorkspace, testWorkspace } from '../disks/workspace.testing.ts';
import { listSite } from '../site/publish-directory.ts';

let root: string;
let gitDir: string;
let folders: TestWorkspace;
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
  folders = await testWorkspace(root);
});
afterEach(async () => {
  await folders.remove();
  rmSync(root, { recursive: true, force: true });
});

const checkOut = (branch = 'main'): Promise<Checkout> =>
  checkOutInto({ folder: folders.source, path: '' }, { gitDir }, branch, never);

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
  const result = await checkOut();
  expect(result).toMatchObject({
    files: 2,
    links: [],
    submodules: [],
    commit: { subject: 'First', author: 'Ada' },
  });
  expect(readdirSync(folders.disk.source).sort()).toEqual(['run.sh', 'src']);
  expect(readFileSync(join(folders.disk.source, 'src', 'größe.txt'), 'utf8')).toBe('x');
  expect(lstatSync(join(folders.disk.source, 'run.sh')).mode & 0o111).not.toBe(0);
});

test('a branch with a hostile or unknown name is named, with those that exist', async () => {
  commit((work) => writeFileSync(join(work, 'a'), ''), 'feature/x');
  for (const branch of ['main', '--upload-pack=touch pwned', 'feature/x^{tree}', '../../x', 'feature/x\n']) {
    await expect(checkOut(branch)).rejects.toThrow('Branches of the repository: feature/x.');
  }
});

test('an empty repository asks for a push', async () => {
  await expect(checkOut()).rejects.toThrow('The repository is empty.');
});

/** What the links of a commit have become: the place they lead to, or a text. */
async function linksOf(prepare: (work: string) => void): Promise<Record<string, string>> {
  commit(prepare);
  const { links } = await checkOut();
  const left = await folders.source.layLinks(links);
  const found = links.map((path) => {
    const file = join(folders.disk.source, path);
    const isLink = lstatSync(file).isSymbolicLink();
    expect([path, isLink]).toEqual([path, !left.includes(path)]);
    return [path, isLink ? `-> ${readlinkSync(file)}` : `text ${readFileSync(file, 'utf8')}`];
  });
  return Object.fromEntries(found);
}

test('links are laid as git does where they lead to something inside', async () => {
  const links = {
    latest: 'v2',
    'v2/up.txt': '../top.txt',
    'logo.png': './img/a.png',
    'img/again.png': '../logo.png',
    'over/latest.txt': '../latest/page.txt',
    'a/b/all': '../..',
  };
  const found = await linksOf((work) => {
    for (const folder of ['v2', 'img', 'over', 'a/b']) mkdirSync(join(work, folder), { recursive: true });
    for (const file of ['top.txt', 'v2/page.txt', 'img/a.png']) writeFileSync(join(work, file), file);
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(work, path));
  });
  expect(found).toEqual(
    Object.fromEntries(Object.entries(links).map(([path, target]) => [path, `-> ${target}`])),
  );
  expect(readFileSync(join(folders.disk.source, 'over/latest.txt'), 'utf8')).toBe('v2/page.txt');
  const { files } = await listSite(folders.source, '', { files: 100, megabytes: 1 });
  const published = await Promise.all(
    files.map(async ({ path, read }) => [path, Buffer.from(await read()).toString()]),
  );
  expect(Object.fromEntries(published)).toEqual({
    'top.txt': 'top.txt',
    'v2/page.txt': 'v2/page.txt',
    'v2/up.txt': 'top.txt',
    'img/a.png': 'img/a.png',
    'img/again.png': 'img/a.png',
    'logo.png': 'img/a.png',
    'over/latest.txt': 'v2/page.txt',
  });
});

describe('a hostile commit', () => {
  test('links that lead out, to nothing, in a circle or over others stay texts', async () => {
    writeFileSync(join(root, 'secret'), 'secret');
    const links = {
      passwd: '/etc/passwd',
      up: '..',
      'deep/er/up': '../../../secret',
      none: 'nothing',
      itself: 'itself',
      one: 'two',
      two: 'one',
      over: 'none/x',
      // Each says that it stays inside; the second leads out over the first.
      'deep/er/root': '../..',
      sly: 'deep/er/root/../../secret',
      slier: 'sly',
      [`long${'g'.repeat(90)}`]: 'a/'.repeat(1_000),
    };
    const found = await linksOf((work) => {
      mkdirSync(join(work, 'deep/er'), { recursive: true });
      writeFileSync(join(work, 'deep/er/file'), '');
      for (const [path, target] of Object.entries(links)) symlinkSync(target, join(work, path));
    });
    const texts = Object.entries(links).map(([path, target]) => [path, `text ${target}`]);
    expect(found).toEqual({ ...Object.fromEntries(texts), 'deep/er/root': '-> ../..' });
  });

  test('nothing is laid where a link is on the way, or what is there is no text', async () => {
    commit((work) => writeFileSync(join(work, 'a'), 'x'));
    await checkOut();
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'b'), 'x');
    symlinkSync(join(root, 'outside'), join(folders.disk.source, 'out'));
    mkdirSync(join(folders.disk.source, 'c'));
    const paths = ['out/b', 'c', 'none', 'a/x', '../outside/b'];
    expect(await folders.source.layLinks(paths)).toEqual(paths);
    expect(readFileSync(join(root, 'outside', 'b'), 'utf8')).toBe('x');
  });

  test('links become small text files, wherever they lead', async () => {
    writeFileSync(join(root, 'secret'), 'secret');
    commit((work) => {
      symlinkSync('/etc/passwd', join(work, 'passwd'));
      symlinkSync('../../../secret', join(work, 'secret'));
    });
    const { links } = await checkOut();
    expect(links).toEqual(['passwd', 'secret']);
    expect(lstatSync(join(folders.disk.source, 'passwd')).isFile()).toBe(true);
    expect(readFileSync(join(folders.disk.source, 'passwd'), 'utf8')).toBe('/etc/passwd');
    expect(readFileSync(join(folders.disk.source, 'secret'), 'utf8')).toBe('../../../secret');
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
    await checkOut();
    expect(existsSync(canary)).toBe(false);
    expect(readFileSync(join(folders.disk.source, 'a.txt'), 'utf8')).toBe('x');
  });

  test('submodules are named with their commits, and nothing of them is fetched here', async () => {
    commit((work) => {
      writeFileSync(
        join(work, '.gitmodules'),
        '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% pwned\n',
      );
      mkdirSync(join(work, 'x'));
      git(join(work, 'x'), ['init', '-q']);
      git(join(work, 'x'), ['commit', '-q', '--allow-empty', '-m', 'inner']);
    });
    const { submodules } = await checkOut();
    expect(submodules).toEqual([{ path: 'x', commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string }]);
  });

  /** Makes a commit of a tree whose entries are written as they are. */
  function commitTree(entries: readonly { mode: string; name: string | Buffer; id: string }[]): string {
    const tree = treeOf(entries);
    const id = git(gitDir, ['commit-tree', tree, '-m', 'evil']);
    git(gitDir, ['update-ref', 'refs/heads/main', id]);
    return tree;
  }

  function treeOf(entries: readonly { mode: string; name: string | Buffer; id: string }[]): string {
    const file = join(root, 'tree');
    writeFileSync(
      file,
      Buffer.concat(
        entries.flatMap(({ mode, name, id }) => [
          Buffer.from(`${mode} `),
          Buffer.from(name),
          Buffer.from([0]),
          Buffer.from(id, 'hex'),
        ]),
      ),
    );
    return git(gitDir, ['hash-object', '-t', 'tree', '-w', '--literally', file]);
  }

  const blob = (): string => git(gitDir, ['hash-object', '-w', '--stdin'], 'x');
  const refused = () => checkOut();

  test('a name that is not UTF-8 is named, escaped', async () => {
    commitTree([{ mode: '100644', name: Buffer.from('caf\xe9\n.txt', 'latin1'), id: blob() }]);
    await expect(refused()).rejects.toThrow("The path 'caf\\xE9\\x0A.txt' is not valid UTF-8. Rename it");
  });

  test.each([
    ['files', (id: string) => id, '100644'],
    ['empty folders', () => treeOf([]), '40000'],
  ])(
    'a tree that names ten to the tenth %s is refused at the limit, before anything is written',
    async (_what, leaf, mode) => {
      const names = Array.from({ length: 10 }, (_, n) => `d${n}`);
      let id = treeOf(names.map((name) => ({ mode, name, id: leaf(blob()) })));
      for (let level = 0; level < 8; level += 1)
        id = treeOf(names.map((name) => ({ mode: '40000', name, id })));
      commitTree(names.map((name) => ({ mode: '40000', name, id })));
      await expect(refused()).rejects.toThrow('The repository has more than 100000 files and folders.');
      expect(readdirSync(folders.disk.source)).toEqual([]);
      // The page of the repository shows the first of them.
      const commitId = git(gitDir, ['rev-parse', 'refs/heads/main']);
      const top = await readTree(gitDir, commitId, { recursive: false, most: 7 });
      expect(top.map(({ path, kind }) => [path, kind])).toEqual(
        names.slice(0, 7).map((name) => [name, 'folder']),
      );
      if (mode === '40000') return;
      expect(await readTree(gitDir, commitId, { recursive: true, most: 501 })).toHaveLength(501);
    },
  );

  test('folders in one another, and names too long for a disk, are refused', async () => {
    let id = blob();
    let mode = '100644';
    for (let level = 0; level < 120; level += 1) {
      id = treeOf([{ mode, name: 'd', id }]);
      mode = '40000';
    }
    commitTree([{ mode, name: 'd', id }]);
    await expect(refused()).rejects.toThrow('is in more than 100 folders');
    commitTree([{ mode: '100644', name: 'n'.repeat(300), id: blob() }]);
    await expect(refused()).rejects.toThrow('has a name of more than 255 bytes');
  });

  test('files of many bytes, named again and again, are counted before they are written', async () => {
    const file = join(root, 'large');
    writeFileSync(file, Buffer.alloc(30 * 1024 ** 2));
    const id = git(gitDir, ['hash-object', '-w', file]);
    const names = Array.from({ length: 80 }, (_, n) => `f${String(n).padStart(2, '0')}`);
    commitTree(names.map((name) => ({ mode: '100644', name, id })));
    await expect(refused()).rejects.toThrow('larger than 2048 MB');
  });

  test.each(['.git', '.GIT', 'git~1', '..'])('a tree with an entry named %s writes nothing', async (name) => {
    commitTree([{ mode: '100644', name, id: blob() }]);
    await expect(checkOut()).rejects.toThrow('Git could not check the commit out');
    expect(readdirSync(folders.disk.source)).toEqual([]);
    expect(existsSync(join(folders.root, 'evil'))).toBe(false);
  });
});

test('what a push names as the replacement of an object is not written in its place', async () => {
  const work = mkdtempSync(join(root, 'replaced-'));
  git(work, ['init', '-q', '-b', 'main']);
  const commitOf = (text: string): string => {
    writeFileSync(join(work, 'index.html'), text);
    git(work, ['add', '-A']);
    git(work, ['commit', '-q', '-m', text]);
    return git(work, ['rev-parse', 'HEAD']);
  };
  const shown = commitOf('shown');
  const other = commitOf('other');
  git(work, ['replace', shown, other]);
  git(work, ['push', '-q', gitDir, `${shown}:refs/heads/main`, 'refs/replace/*:refs/replace/*']);
  const { commit: checkedOut } = await checkOut();
  expect(checkedOut).toMatchObject({ id: shown, subject: 'shown' });
  expect(readFileSync(join(folders.disk.source, 'index.html'), 'utf8')).toBe('shown');
});

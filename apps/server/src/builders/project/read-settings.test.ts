import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProjectFileError } from '../source/project-file-error.ts';
import { readCanistersInThread } from './plan-thread.ts';
import { readSettings } from './read-settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;

/** A repository with one commit. */
function repository(name: string, files: Readonly<Record<string, string>>, link = false) {
  const work = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(work, dirname(path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  if (link) symlinkSync('/etc/passwd', join(work, 'mops.toml'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: work })
      .toString()
      .trim();
  git('init', '-q', '-b', 'main');
  git('add', '-A', '-f');
  git('commit', '-q', '-m', 'First');
  return {
    gitDir: join(work, '.git'),
    commit: git('rev-parse', 'HEAD'),
  };
}

test('settings, sources and small files are read, and the canisters of the project read from them', async () => {
  const from = repository('whole', {
    'app/dfx.json': JSON.stringify({
      canisters: {
        backend: { main: 'src/main.mo', init_arg_file: 'args.txt' },
        web: { type: 'assets', source: ['dist'], dependencies: ['backend'] },
      },
    }),
    'app/src/main.mo': 'persistent actor class Backend(_name : Text) {}',
    'app/args.txt': '("Ada")',
    'app/large.bin': 'x'.repeat(20_000),
    'app/node_modules/pack/main.mo': 'actor {}',
    'app/.gitattributes': '* text eol=crlf',
    'other/main.mo': 'actor {}',
  });
  const files = await readSettings({ ...from, root: 'app' }, signal);
  const has = async (path: string): Promise<boolean> => (await files.kindOf(path)) !== 'none';
  expect(await Promise.all(['dfx.json', 'src/main.mo', 'args.txt'].map(has))).toEqual([true, true, true]);
  const left = ['large.bin', 'node_modules', '.gitattributes', 'other', 'main.mo', '.git'];
  expect(await Promise.all(left.map(has))).toEqual(left.map(() => false));
  expect(await files.textOf('args.txt', 100)).toEqual({ kind: 'file', text: '("Ada")' });
  const { canisters } = await readCanistersInThread(files, { network: 'local' }, signal);
  expect(canisters.map(({ name, kind }) => [name, kind])).toEqual([
    ['backend', 'motoko'],
    ['web', 'site'],
  ]);
});

test('links are not read', async () => {
  const from = repository('link', { 'main.mo': 'actor {}' }, true);
  const files = await readSettings({ ...from, root: '' }, signal);
  expect(await files.kindOf('mops.toml')).toBe('none');
  expect(await files.kindOf('main.mo')).toBe('file');
});

test('a repository of more small files than the bound is refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`notes/${at}.txt`, 'x']));
  const from = repository('many', many);
  const reading = readSettings({ ...from, root: '' }, signal);
  await expect(reading).rejects.toThrow(ProjectFileError);
  await expect(reading).rejects.toThrow(/more than 5000 small files/);
  // The same repository is within the bounds for a project in another folder of it.
  await readSettings({ ...from, root: 'app' }, signal);
});

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCanisters, onlyCanister } from './find-canisters.ts';
import { findPackages } from './find-packages.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cannery-project-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function files(entries: Record<string, string>): void {
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function only(): Promise<ReturnType<typeof onlyCanister>> {
  return onlyCanister(await findCanisters(root));
}

test('dfx.json: a canister without type is Motoko, others are named', async () => {
  files({
    'dfx.json': JSON.stringify({
      canisters: {
        counter: { main: './src/Main.mo', args: '-A M0194', init_arg: '(5)' },
        site: { type: 'assets', source: ['dist'] },
      },
    }),
  });
  const project = await findCanisters(root);
  expect(project).toEqual({
    canisters: [{ name: 'counter', main: 'src/Main.mo', flags: ['-A', 'M0194'], initArg: '(5)' }],
    settings: 'dfx.json',
    others: ['site (assets)'],
  });
});

test('dfx.json: arguments from a file, flags from the defaults', async () => {
  files({
    'dfx.json':
      '{"canisters": {"a": {"main": "a.mo", "init_arg_file": "args.txt"},}, "defaults": {"build": {"args": "-Werror"}}}',
    'args.txt': '("x")',
  });
  expect(await only()).toEqual({ name: 'a', main: 'a.mo', flags: ['-Werror'], initArg: '("x")' });
});

test.each(['../secret.mo', '/etc/passwd', 'a/../../b.mo'])(
  'dfx.json: the main file %s is outside',
  async (main) => {
    files({ 'dfx.json': JSON.stringify({ canisters: { a: { main } } }) });
    await expect(findCanisters(root)).rejects.toThrow('outside the repository');
  },
);

test('icp.yaml: main and flags of mops.toml when the recipe names none', async () => {
  files({
    'icp.yaml': 'canisters:\n  - name: backend\n    recipe:\n      type: "@dfinity/motoko@v5.0.0"\n',
    'mops.toml': '[moc]\nargs = ["-Werror"]\n[canisters.backend]\nmain = "backend/main.mo"\n',
  });
  expect(await only()).toEqual({
    name: 'backend',
    main: 'backend/main.mo',
    flags: ['-Werror'],
    initArg: null,
  });
});

test('icp.yaml: own build steps that call the compiler', async () => {
  files({
    'icp.yaml':
      'canisters:\n  - name: my-canister\n    build:\n      steps:\n        - type: script\n          commands:\n            - moc src/main.mo\n',
  });
  expect((await only()).main).toBe('src/main.mo');
});

test('icp.yaml: folders with a canister.yaml of their own', async () => {
  files({
    'icp.yaml': 'canisters:\n  - "canisters/*"\n',
    'canisters/one/canister.yaml':
      'name: one\nrecipe:\n  type: "@dfinity/motoko@v5.0.0"\n  configuration:\n    main: one.mo\n',
    'canisters/site/canister.yaml': 'name: site\nrecipe:\n  type: "@dfinity/static-site@v1"\n',
  });
  const project = await findCanisters(root);
  expect(project.canisters.map(({ name, main }) => [name, main])).toEqual([['one', 'canisters/one/one.mo']]);
  expect(project.others).toEqual(['site (@dfinity/static-site@v1)']);
});

test('mops.toml alone', async () => {
  files({ 'mops.toml': '[canisters]\ncounter = "src/counter.mo"\n' });
  expect(await only()).toMatchObject({ name: 'counter', main: 'src/counter.mo' });
});

test.each([
  [['main.mo', 'src/main.mo'], 'main.mo'],
  [['src/Main.mo', 'src/lib.mo'], 'src/Main.mo'],
  [['src/backend/main.mo', 'src/backend/types.mo'], 'src/backend/main.mo'],
  [['counter.mo'], 'counter.mo'],
  [['src/main.mo', 'node_modules/x/main.mo', '.mops/base@1/src/main.mo'], 'src/main.mo'],
] as const)('no settings: of %j the main file is %s', async (sources, main) => {
  files(Object.fromEntries(sources.map((path) => [path, 'actor {}'])));
  expect((await only()).main).toBe(main);
});

test('no settings: several main files are named, none is guessed', async () => {
  files({ 'a/main.mo': '', 'b/main.mo': '' });
  await expect(findCanisters(root)).rejects.toThrow('a/main.mo, b/main.mo');
});

test('no Motoko at all', async () => {
  files({ 'index.html': '' });
  await expect(findCanisters(root)).rejects.toThrow('No Motoko source');
});

test('several canisters are named and need another deploy type', async () => {
  files({ 'dfx.json': JSON.stringify({ canisters: { a: { main: 'a.mo' }, b: { main: 'b.mo' } } }) });
  const project = await findCanisters(root);
  expect(() => onlyCanister(project)).toThrow('2 Motoko canisters: a (a.mo), b (b.mo)');
  expect(() => onlyCanister(project)).toThrow('CUSTOM');
});

test('a settings file that is a link is not read', async () => {
  files({ 'src/main.mo': 'actor {}' });
  symlinkSync('/etc/passwd', join(root, 'dfx.json'));
  expect((await findCanisters(root)).settings).toBeNull();
});

test('packages the repository brings along', async () => {
  files({
    'mops.toml': '[dependencies]\ncore = "2.5.0"\njson = "1.0.0"\nown = "./packages/own"\nsha2 = "0.1.0"\n',
    'packages/own/mops.toml': '[package]\nname = "own"\nbaseDir = "lib"\n',
    'packages/own/lib/lib.mo': 'module {}',
    '.mops/json@1.0.0/mops.toml': '[package]\nname = "json"\n',
  });
  const packages = await findPackages(root);
  expect([...packages.folders]).toEqual([
    ['json', '.mops/json@1.0.0/src'],
    ['own', 'packages/own/lib'],
  ]);
  expect(packages.wanted.get('sha2')).toBe('0.1.0');
});

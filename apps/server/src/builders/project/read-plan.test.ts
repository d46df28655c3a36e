import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MotokoCanister, PlannedCanister, Project } from './plan.ts';
import { readPlan } from './read-plan.ts';
import { ownFiles } from '../tenant/own-files.ts';

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

async function project(network: 'local' | 'ic' = 'local'): Promise<Project> {
  return (await readPlan(ownFiles(root), { network })).project;
}

async function byName(network: 'local' | 'ic' = 'local'): Promise<Record<string, PlannedCanister>> {
  return Object.fromEntries((await project(network)).canisters.map((one) => [one.name, one]));
}

async function only(): Promise<MotokoCanister> {
  const { canisters } = await project();
  expect(canisters).toHaveLength(1);
  const [canister] = canisters;
  if (canister?.kind !== 'motoko') throw new Error('It is no Motoko canister.');
  return canister;
}

const actor = 'persistent actor { }';

test('dfx.json: a website that nothing builds and nobody committed is built by the package above its folder', async () => {
  const canisters = { site: { type: 'assets', source: ['web/frontend/dist'] } };
  files({ 'dfx.json': JSON.stringify({ canisters }), 'web/frontend/package.json': '{}' });
  const commands = ['cd web/frontend && npm run build --if-present'];
  expect(await byName()).toMatchObject({ site: { commands } });
  files({ 'web/frontend/dist/index.html': '' });
  expect(await byName()).toMatchObject({ site: { commands: [] } });
  const odd = { site: { type: 'assets', source: ['a; id/dist', 'a/b/c/d/dist'] } };
  files({
    'dfx.json': JSON.stringify({ canisters: odd }),
    'a; id/package.json': '{}',
    'a/package.json': '{}',
  });
  expect(await byName()).toMatchObject({ site: { commands: [] } });
});

test('dfx.json: a canister without type is Motoko, websites and modules are what they say', async () => {
  files({
    'dfx.json': JSON.stringify({
      canisters: {
        counter: { main: './src/Main.mo', args: '-A M0194', init_arg: '(5)', dependencies: ['ledger'] },
        site: { type: 'assets', source: ['dist', 'public/'], dependencies: ['counter'] },
        ledger: { type: 'custom', wasm: 'ledger.wasm.gz', candid: 'ledger.did', build: 'make ledger' },
        crate: { type: 'rust', package: 'crate' },
      },
      output_env_file: '.env.local',
    }),
    'package.json': '{}',
    'src/Main.mo': actor,
  });
  const common = { folder: '', argument: null, settings: {}, dependencies: [] };
  expect(await project()).toEqual({
    canisters: [
      {
        ...common,
        name: 'counter',
        kind: 'motoko',
        main: 'src/Main.mo',
        flags: ['-A', 'M0194'],
        argument: { kind: 'text', text: '(5)' },
        dependencies: ['ledger'],
      },
      {
        ...common,
        name: 'site',
        kind: 'site',
        sources: ['dist', 'public/'],
        commands: ['npm run build --if-present'],
        dependencies: ['counter'],
      },
      {
        ...common,
        name: 'ledger',
        kind: 'module',
        wasm: 'ledger.wasm.gz',
        candid: 'ledger.did',
        realId: null,
        commands: ['make ledger'],
        sha256: null,
      },
      {
        ...common,
        name: 'crate',
        kind: 'rust',
        package: 'crate',
        crate: null,
        candid: null,
        realId: null,
      },
    ],
    settings: 'dfx.json',
    envFile: '.env.local',
    declarations: {},
    remarks: [],
  });
});

test('dfx.json: arguments from a file, flags from the defaults, settings with their units', async () => {
  files({
    'dfx.json':
      '{"canisters": {"a": {"main": "a.mo", "init_arg_file": "args.txt", "initialization_values": ' +
      '{"compute_allocation": 5, "memory_allocation": "2 GiB", "freezing_threshold": 3600, "subnet": "x"}},}, ' +
      '"defaults": {"build": {"args": "-Werror"}}}',
    'args.txt': '("x")',
    'a.mo': actor,
  });
  expect(await only()).toMatchObject({
    flags: ['-Werror'],
    argument: { kind: 'text', text: '("x")' },
    settings: { compute_allocation: '5', memory_allocation: '2147483648', freezing_threshold: '3600' },
  });
  expect((await project()).remarks).toEqual(['Settings of a that are not applied: subnet.']);
});

test('dfx.json: a canister that has an id on the network is not deployed there', async () => {
  const ledger = {
    type: 'custom',
    wasm: 'https://example.org/ledger.wasm',
    candid: 'https://example.org/ledger.did',
    remote: { id: { ic: 'ryjl3-tyaaa-aaaaa-aaaba-cai' } },
  };
  files({ 'dfx.json': JSON.stringify({ canisters: { ledger } }) });
  expect((await byName('ic')).ledger).toMatchObject({ kind: 'left', id: 'ryjl3-tyaaa-aaaaa-aaaba-cai' });
  expect((await byName('local')).ledger).toMatchObject({
    kind: 'module',
    wasm: ledger.wasm,
    candid: ledger.candid,
    realId: 'ryjl3-tyaaa-aaaaa-aaaba-cai',
  });
});

test.each(['../secret.mo', '/etc/passwd', 'a/../../b.mo'])(
  'dfx.json: the main file %s is outside',
  async (main) => {
    files({ 'dfx.json': JSON.stringify({ canisters: { a: { main } } }) });
    await expect(project()).rejects.toThrow('outside the repository.');
  },
);

test.each(['../site', '/etc'])('dfx.json: the website folder %s is outside', async (source) => {
  files({ 'dfx.json': JSON.stringify({ canisters: { a: { type: 'assets', source: [source] } } }) });
  await expect(project()).rejects.toThrow('outside the repository');
});

test.each(['../a', 'a b', '', 'a\nb', 'a;rm'])('a canister named %j is refused', async (name) => {
  files({ 'dfx.json': JSON.stringify({ canisters: { [name]: { main: 'a.mo' } } }), 'a.mo': actor });
  await expect(project()).rejects.toThrow('A name has letters');
});

test('imports of other canisters are found in every source that is reached', async () => {
  files({
    'dfx.json': JSON.stringify({ canisters: { a: { main: 'src/a.mo' }, b: { main: 'src/b.mo' } } }),
    'src/a.mo': 'import Lib "lib/deep";\nactor {}',
    'src/lib/deep.mo': 'import B "canister:b"; import Text "mo:core/Text"; module {}',
    'src/b.mo': actor,
  });
  expect((await byName()).a?.dependencies).toEqual(['b']);
});

test('icp.yaml: main and flags of mops.toml when the recipe names none; an alias is a dependency', async () => {
  files({
    'icp.yaml': 'canisters:\n  - name: backend\n    recipe:\n      type: "@dfinity/motoko@v5.0.0"\n',
    'mops.toml':
      '[moc]\nargs = ["-A", "M1"]\n[canisters.backend]\nmain = "backend/main.mo"\n' +
      'args = ["-Werror", "--actor-env-alias", "pub", "PUBLIC_CANISTER_ID:publisher", "pub.did"]\n',
    'backend/main.mo': actor,
  });
  expect(await only()).toMatchObject({
    name: 'backend',
    main: 'backend/main.mo',
    dependencies: ['publisher'],
  });
});

test.each([
  'moc src/main.mo',
  '$(mops toolchain bin moc) src/main.mo -o out.wasm',
  '"$(mops toolchain bin moc)" --release src/main.mo',
  '$(dfx cache show)/moc src/main.mo',
  '$MOC_PATH --package core $MOTOKO_CORE src/main.mo -o backend.wasm',
  'mops build backend',
])('icp.yaml: the build step %j compiles Motoko', async (command) => {
  files({
    'icp.yaml': `canisters:\n  - name: my-canister\n    build:\n      steps:\n        - type: script\n          commands:\n            - '${command}'\n`,
    'src/main.mo': actor,
  });
  expect((await only()).main).toBe('src/main.mo');
});

test('icp.yaml: flags of a build step that compiles Motoko count', async () => {
  const command =
    '"${MOC_PATH}" --implicit-package core --default-persistent-actors -no-check-ir -E M0236 --actor-idl idl --package core $MOTOKO_CORE main.mo -o a.wasm && mv a.wasm b';
  files({
    'icp.yaml': 'canisters:\n  - src/backend\n',
    'src/backend/canister.yaml': `name: backend\nbuild:\n  steps:\n    - type: script\n      commands:\n        - '${command}'\n`,
    'src/backend/main.mo': actor,
  });
  const { main, flags } = await only();
  expect(main).toBe('src/backend/main.mo');
  expect(flags).toEqual(['--implicit-package', 'core', '--default-persistent-actors', '-E', 'M0236']);
});

test('icp.yaml: other projects that it depends on are named', async () => {
  files({
    'icp.yaml':
      'canisters:\n  - name: a\n    build:\n      steps:\n        - type: pre-built\n          path: a.wasm\ndependencies:\n  - name: mail\n    path: ./vendor/mail\n    canisters: [backend]\n',
    'a.wasm': '',
  });
  expect((await project()).remarks).toEqual([
    'The project mail that icp.yaml depends on is not deployed. Deploy it separately.',
  ]);
});

test('icp.yaml: websites, modules, settings, and folders with a canister.yaml', async () => {
  files({
    'icp.yaml': `canisters:
  - "canisters/*"
  - name: web
    recipe:
      type: "@dfinity/static-site@v0.3.1"
      configuration:
        dir: frontend/dist
        build:
          - npm install --prefix frontend
          - npm run build --prefix frontend
  - name: ledger
    build:
      steps:
        - type: pre-built
          path: ledger.wasm
          sha256: ABCD
    init_args: "(1)"
    settings:
      wasm_memory_limit: 8mib
      environment_variables:
        MODE: fast
  - name: made
    build:
      steps:
        - type: script
          commands:
            - make module
  - name: unknown
    recipe:
      type: ./recipe.hb.yaml
environments:
  - name: ic
    canisters: [web, ledger]
    init_args:
      ledger: "(2)"
    settings:
      ledger:
        wasm_memory_limit: 1gib
`,
    'canisters/one/canister.yaml':
      'name: one\nrecipe:\n  type: "@dfinity/motoko@v5.0.0"\n  configuration:\n    main: one.mo\n',
    'canisters/one/one.mo': actor,
  });
  const local = await byName();
  expect(Object.keys(local)).toEqual(['one', 'web', 'ledger', 'made', 'unknown']);
  expect(local.one).toMatchObject({ kind: 'motoko', main: 'canisters/one/one.mo', folder: 'canisters/one' });
  expect(local.web).toMatchObject({
    kind: 'site',
    sources: ['frontend/dist'],
    commands: ['npm install --prefix frontend', 'npm run build --prefix frontend'],
  });
  expect(local.ledger).toMatchObject({
    kind: 'module',
    wasm: 'ledger.wasm',
    sha256: 'abcd',
    argument: { kind: 'text', text: '(1)' },
    settings: { wasm_memory_limit: '8388608', environment_variables: [{ name: 'MODE', value: 'fast' }] },
  });
  expect(local.made).toMatchObject({ kind: 'module', wasm: null, commands: ['make module'] });
  expect(local.unknown).toMatchObject({ kind: 'left', type: './recipe.hb.yaml' });
  const real = await byName('ic');
  expect(Object.keys(real)).toEqual(['web', 'ledger']);
  expect(real.ledger).toMatchObject({
    argument: { kind: 'text', text: '(2)' },
    settings: { wasm_memory_limit: '1073741824' },
  });
});

test('mops.toml alone', async () => {
  files({ 'mops.toml': '[canisters]\ncounter = "src/counter.mo"\n', 'src/counter.mo': actor });
  expect(await only()).toMatchObject({ name: 'counter', main: 'src/counter.mo' });
});

test.each([
  [['main.mo', 'src/main.mo'], 'main.mo'],
  [['src/Main.mo', 'src/lib.mo'], 'src/Main.mo'],
  [['src/backend/main.mo', 'src/backend/types.mo'], 'src/backend/main.mo'],
  [['counter.mo'], 'counter.mo'],
  [['src/main.mo', 'node_modules/x/main.mo', '.mops/base@1/src/main.mo'], 'src/main.mo'],
] as const)('no settings: of %j the main file is %s', async (sources, main) => {
  files(Object.fromEntries(sources.map((path) => [path, actor])));
  expect((await only()).main).toBe(main);
});

test('no settings: several main files are named, none is guessed', async () => {
  files({ 'a/main.mo': '', 'b/main.mo': '' });
  await expect(project()).rejects.toThrow('a/main.mo, b/main.mo');
});

test('settings in a folder are named, with what to do; of several, a few', async () => {
  files({ 'motoko/dfx.json': '{}', 'motoko/src/main.mo': '', 'rust/main.mo': '', 'test/x/dfx.json': '{}' });
  await expect(project()).rejects.toThrow(
    / dfx\.json is in motoko: set it as Root directory in the settings of the deploy\.$/,
  );
  files({ 'examples/a/icp.yaml': '', 'examples/a/mops.toml': '' });
  await expect(project()).rejects.toThrow(
    / dfx\.json is in motoko, icp\.yaml is in examples\/a: set one of these folders as Root directory/,
  );
});

test('a main file that is found by its name does not hide settings in its folder', async () => {
  files({ 'motoko/dfx.json': '{}', 'motoko/main.mo': actor });
  expect((await project()).remarks).toEqual([
    'dfx.json is in motoko: set it as Root directory in the settings of the deploy.',
  ]);
});

test('canisters of other languages are left with what to do', async () => {
  files({
    'dfx.json': '{"canisters":{"a":{"type":"azle"},"k":{"type":"kybra"},"z":{"type":"zig"}}}',
  });
  const { a, k, z } = await byName();
  for (const one of [a, k])
    expect(one).toMatchObject({ reason: expect.stringContaining('commit its WebAssembly') });
  expect(z).toMatchObject({ reason: 'the type zig is not known here' });
});

test('no Motoko at all', async () => {
  files({ 'index.html': '' });
  await expect(project()).rejects.toThrow('No Motoko source');
});

test('a settings file that is a link is not read', async () => {
  files({ 'src/main.mo': actor });
  symlinkSync('/etc/passwd', join(root, 'dfx.json'));
  expect((await project()).settings).toBeNull();
});

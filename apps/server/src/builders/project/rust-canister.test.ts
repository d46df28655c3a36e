import { expect, test } from 'vitest';
import { type ProjectFiles, textFiles } from '../tenant/project-files.ts';
import type { PlannedCanister, Project } from './plan.ts';
import { readPlan } from './read-plan.ts';

function filesOf(entries: Record<string, string>): ProjectFiles {
  return textFiles(new Map(Object.entries(entries).map(([path, text]) => [path, Buffer.from(text)])));
}

async function project(entries: Record<string, string>): Promise<Project> {
  return (await readPlan(filesOf(entries), { network: 'local' })).project;
}

async function byName(entries: Record<string, string>): Promise<Record<string, PlannedCanister>> {
  return Object.fromEntries((await project(entries)).canisters.map((one) => [one.name, one]));
}

const cdylib = (name: string, more = ''): string =>
  `[package]\nname = "${name}"\n${more}\n[lib]\ncrate-type = ["cdylib"]\n`;

test('Rust: a package of dfx.json, the recipe of icp.yaml, and their interfaces', async () => {
  const dfx = {
    'dfx.json': JSON.stringify({
      canisters: {
        old: { type: 'rust' },
        one: {
          type: 'rust',
          package: 'my-one',
          crate: 'one_lib',
          candid: './one.did',
          dependencies: ['old'],
        },
      },
    }),
  };
  expect(await byName(dfx)).toMatchObject({
    old: { kind: 'rust', package: 'old', crate: null, candid: null },
    one: { kind: 'rust', package: 'my-one', crate: 'one_lib', candid: 'one.did', dependencies: ['old'] },
  });
  const configuration = '{ package: two, candid: src/two.did }';
  const icp = {
    'icp.yaml': 'canisters:\n  - two',
    'two/canister.yaml': `name: two\nrecipe: { type: "@dfinity/rust@v3.1.0", configuration: ${configuration} }`,
  };
  expect(await byName(icp)).toMatchObject({
    two: { kind: 'rust', folder: 'two', candid: 'two/src/two.did' },
  });
});

test.each(['--config=evil', '../up', 'a/b', 'a b', '0a'])('the package %j is refused', async (name) => {
  const dfx = JSON.stringify({ canisters: { one: { type: 'rust', package: name } } });
  await expect(project({ 'dfx.json': dfx })).rejects.toThrow('is no name of a Cargo package');
});

test('Rust without settings: each member of the workspace with a cdylib', async () => {
  const found = await project({
    'Cargo.toml': '[workspace]\nmembers = ["canisters/*", "./other/"]\nexclude = ["canisters/not"]',
    'canisters/a/Cargo.toml': cdylib('a-b'),
    'canisters/a/a_b.did': 'service : {}',
    'canisters/a/second.did': 'service : {}',
    'canisters/not/Cargo.toml': cdylib('not'),
    'canisters/deep/er/Cargo.toml': cdylib('deeper'),
    'other/Cargo.toml': cdylib('other'),
    'other/only.did': 'service : {}',
    'elsewhere/Cargo.toml': cdylib('elsewhere'),
    'canisters/tool/Cargo.toml': '[package]\nname = "tool"',
  });
  expect(found.settings).toBe('Cargo.toml');
  expect(found.canisters).toMatchObject([
    { name: 'a-b', kind: 'rust', folder: 'canisters/a', candid: 'canisters/a/a_b.did' },
    { name: 'other', kind: 'rust', folder: 'other', candid: 'other/only.did' },
  ]);
});

test('a Rust project without a canister is told what makes one', async () => {
  await expect(project({ 'Cargo.toml': '[package]\nname = "tool"' })).rejects.toThrow(
    /This is a Rust project .* crate-type = \["cdylib"\]/,
  );
});

import type { DetectedSiteAnswer, ProjectPlanAnswer } from '@cannery/contract';
import { expect, test } from 'vitest';
import { factsOf } from './draft-facts.ts';

const site: DetectedSiteAnswer = {
  framework: 'Vite',
  why: 'Vite found in package.json',
  build_command: 'npm run build',
  publish_directory: 'dist',
  node_version: '>=22',
  package_manager: 'npm',
  roots: [],
  advice: null,
};
const plan: ProjectPlanAnswer = {
  canisters: [
    { name: 'one', kind: 'motoko', reason: null, canister_id: null, cycles: '1' },
    { name: 'two', kind: 'left', reason: 'no', canister_id: null, cycles: '0' },
  ],
  cost: '1',
  balance: '2',
  creation: '1',
  problem: null,
  roots: [],
  settings_file: 'dfx.json',
};
const empty = { build_cmd: '', publish_dir: '', root_dir: undefined };
const draft = { template: undefined, given: empty, site: undefined, plan: undefined };
const rows = (of: Parameters<typeof factsOf>[0]) =>
  factsOf(of).map(({ label, value, source }) => [label, value, source]);

test('what was read of a website is marked as that, what the user wrote as his', () => {
  const read = { build_cmd: 'npm run build', publish_dir: 'dist', root_dir: '' };
  expect(rows({ ...draft, deployType: 'STATIC_SITE', fields: read, site })).toEqual([
    ['Type', 'Website', 'read'],
    ['Framework', 'Vite', 'read'],
    ['Root directory', 'The whole repository', 'default'],
    ['Build command', 'npm run build', 'read'],
    ['Output', 'dist', 'read'],
    ['Node.js', '>=22', 'read'],
  ]);
  const written = { build_cmd: 'make', publish_dir: '', root_dir: 'web' };
  expect(rows({ ...draft, deployType: 'STATIC_SITE', fields: written, site })).toEqual([
    ['Type', 'Website', 'read'],
    ['Framework', 'Vite', 'read'],
    ['Root directory', 'web', 'entered'],
    ['Build command', 'make', 'entered'],
    ['Output', 'The whole repository', 'entered'],
    ['Node.js', '>=22', 'read'],
  ]);
});

test('nothing is claimed of what is on its way, was not recognised, or cannot be told', () => {
  const values = (of: Partial<Parameters<typeof factsOf>[0]>) =>
    rows({ ...draft, deployType: 'STATIC_SITE', fields: empty, ...of }).slice(1);
  expect(values({}).map(([, value]) => value)).toEqual([
    undefined,
    'The whole repository',
    undefined,
    undefined,
    undefined,
  ]);
  const none = { ...site, framework: null, build_command: '', publish_directory: '', node_version: null };
  for (const [seen, source] of [
    [none, 'None recognised'],
    [null, 'None recognised'],
  ] as const)
    expect(values({ site: seen })).toEqual([
      ['Framework', source, 'read'],
      ['Root directory', 'The whole repository', 'default'],
      ['Build command', 'None', 'default'],
      ['Output', 'The whole repository', 'default'],
      ['Node.js', 'The version of this server', 'default'],
    ]);
  expect(rows({ ...draft, deployType: 'STATIC_SITE', fields: empty, site: none })[0]).toEqual([
    'Type',
    'Website',
    'chosen',
  ]);
});

test('of a project, its file and its canisters are told', () => {
  expect(rows({ ...draft, deployType: 'CUSTOM', fields: empty, plan })).toEqual([
    ['Type', 'Whole project', 'read'],
    ['Project file', 'dfx.json', 'read'],
    ['Root directory', 'The whole repository', 'default'],
    ['Canisters', 'one', 'read'],
  ]);
  const found: ProjectPlanAnswer = {
    ...plan,
    canisters: [],
    settings_file: null,
    better_type: 'STATIC_SITE',
  };
  expect(rows({ ...draft, deployType: 'MOTOKO', fields: empty, plan: found })).toEqual([
    ['Type', 'Motoko canisters', 'chosen'],
    ['Project file', 'None, its sources tell', 'read'],
    ['Root directory', 'The whole repository', 'default'],
    ['Canisters', 'None found', 'read'],
  ]);
});

test('a template brings its own settings', () => {
  const given = { build_cmd: 'node build.mjs', publish_dir: 'dist' };
  const fields = { ...given, publish_dir: 'out', root_dir: undefined };
  expect(rows({ ...draft, deployType: 'STATIC_SITE', template: 'static-site', given, fields, plan })).toEqual(
    [
      ['Type', 'Website', 'template'],
      ['Template', 'static-site', 'template'],
      ['Root directory', 'The whole repository', 'default'],
      ['Build command', 'node build.mjs', 'template'],
      ['Output', 'out', 'entered'],
      ['Node.js', 'The version of this server', 'default'],
    ],
  );
});

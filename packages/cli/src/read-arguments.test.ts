import { expect, test } from 'vitest';
import { CliError } from './cli-error.ts';
import { commandShapes, generalHelp, helpOf } from './command-table.ts';
import { readArguments } from './read-arguments.ts';
import { readSettings } from './settings.ts';

const SECRET = `cnry_api_${'s'.repeat(43)}`;

/** What the program says of a command line that it refuses. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    expect((error as CliError).exitCode).toBe(2);
    return (error as CliError).message;
  }
  throw new Error('It is not refused.');
}

const defaults = {
  canisters: [],
  wait: false,
  follow: false,
  json: false,
  url: undefined,
  patienceMs: 30_000,
};

test.each([
  [['list'], { command: 'list', operands: [] }],
  [['deploy', 'site', '--wait'], { command: 'deploy', operands: ['site'], wait: true }],
  [
    ['--json', 'deploy', '--follow', 'site'],
    { command: 'deploy', operands: ['site'], json: true, follow: true },
  ],
  [
    ['deploy', 'app', '--canister', 'backend', '--canister=frontend'],
    { command: 'deploy', operands: ['app'], canisters: ['backend', 'frontend'] },
  ],
  [['logs', 'site'], { command: 'logs', operands: ['site'] }],
  [
    ['logs', 'site', 'run', '--url=http://a'],
    { command: 'logs', operands: ['site', 'run'], url: 'http://a' },
  ],
  [
    ['rollback', 'site', 'run', '--url', 'http://a'],
    { command: 'rollback', operands: ['site', 'run'], url: 'http://a' },
  ],
  [['cancel', 'site', '--retry-for', '0'], { command: 'cancel', operands: ['site'], patienceMs: 0 }],
  [['deploy', '--', '--odd name'], { command: 'deploy', operands: ['--odd name'] }],
])('%j is understood', (args, invocation) => {
  expect(readArguments(args)).toEqual({ ...defaults, ...invocation });
});

test.each([
  [['--help'], 'all'],
  [['-h'], 'all'],
  [['help'], 'all'],
  [['help', 'logs'], 'logs'],
  [['deploy', '--help'], 'deploy'],
  [['rollback', '-h', 'one'], 'rollback'],
])('%j asks for help', (args, help) => {
  expect(readArguments(args)).toEqual({ help });
});

test.each([
  [[], 'Name a command'],
  [['destroy'], 'There is no such command'],
  [['deploy'], 'Usage: cannery deploy <deploy>'],
  [['deploy', 'app', '--canister'], '--canister needs a value'],
  [['logs', 'app', '--canister', 'backend'], '--canister is not an option of cannery logs'],
  [['deploy', ''], 'Usage: cannery deploy <deploy>'],
  [['deploy', 'a', 'b'], 'Usage'],
  [['rollback', 'a'], 'Usage: cannery rollback <deploy> <run>'],
  [['list', '--follow'], '--follow is not an option of cannery list'],
  [['logs', 'a', '--wait'], '--wait is not an option of cannery logs'],
  [['list', '--json=no'], '--json takes no value'],
  [['list', '--url'], '--url needs a value'],
  [['list', '--url='], '--url needs a value'],
  [['list', '--retry-for', '-1'], '--retry-for'],
  [['list', '--retry-for', '1e9'], '--retry-for is a whole number'],
  [['list', '--frobnicate'], 'an option that cannery does not have'],
  [['list', '-x'], 'an option that cannery does not have'],
  [['list', '--token', 'abc'], 'Set CANNERY_TOKEN'],
])('%j is refused', (args, message) => {
  expect(refusal(() => readArguments(args))).toContain(message);
});

test('no refusal repeats a token', () => {
  for (const args of [
    [SECRET],
    ['list', `--token=${SECRET}`],
    ['list', `--url=http://${SECRET}`],
    [`--${SECRET}`],
  ]) {
    expect(refusal(() => readArguments(args))).not.toContain(SECRET.slice(9));
  }
  for (const token of [`${SECRET}\n${SECRET}`, `${SECRET} x`, `${SECRET}\u0000`]) {
    const env = { CANNERY_URL: 'http://localhost:4000', CANNERY_TOKEN: token };
    expect(refusal(() => readSettings(env))).not.toContain(SECRET.slice(9));
  }
});

test('address and token come from the environment', () => {
  const env = { CANNERY_URL: 'https://cannery.example.com/sub/', CANNERY_TOKEN: `${SECRET}\n` };
  expect(readSettings(env)).toEqual({ base: 'https://cannery.example.com/sub/api', token: SECRET });
  expect(readSettings(env, 'http://localhost:4000').base).toBe('http://localhost:4000/api');
  for (const url of ['', 'localhost:4000', 'ftp://a', 'https://ada:secret@a', 'no address']) {
    expect(refusal(() => readSettings(env, url))).toMatch(/address/);
  }
  expect(refusal(() => readSettings({ CANNERY_URL: 'http://a' }))).toContain('CANNERY_TOKEN');
});

test('every command is in the help of the program and has its own', () => {
  for (const { name, flags, summary } of commandShapes) {
    expect(generalHelp()).toContain(`cannery ${name}`);
    expect(helpOf(name)).toContain(summary);
    for (const flag of flags) expect(helpOf(name)).toMatch(new RegExp(`^  --${flag} `, 'm'));
  }
});

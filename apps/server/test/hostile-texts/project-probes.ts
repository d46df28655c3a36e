import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuildInput } from '../../src/builders/builder.ts';
import { builders } from '../../src/builders/builders.ts';
import type { Sandbox } from '../../src/builders/sandbox/sandbox.ts';
import { testWorkspace } from '../../src/builders/disks/workspace.testing.ts';
import type { Probe } from './probe.ts';

type Content = string | Uint8Array;

/** What is asked for before anything is compiled: there are no packages to fetch and no canisters to create. */
const input: Pick<
  BuildInput,
  'network' | 'installArguments' | 'part' | 'rootDirectory' | 'openCanisters' | 'rust'
> = {
  network: 'local',
  installArguments: new Map(),
  part: null,
  rust: null,
  rootDirectory: '',
  openCanisters: async () => ({ existing: new Map(), idOf: async () => 'aaaaa-aa' }),
};

/** Builds a Motoko project of these files; none of the probes has anything that can be compiled. */
async function build(files: Readonly<Record<string, Content>>): Promise<void> {
  const folders = await testWorkspace(mkdtempSync(join(tmpdir(), 'cannery-probe-')));
  for (const [path, content] of Object.entries(files)) folders.put(path, content);
  const nothing = (): void => undefined;
  const building = builders.MOTOKO(
    {
      sandbox: {} as Sandbox,
      folders,
      deadline: performance.now() + 60_000,
      signal: new AbortController().signal,
      onLine: nothing,
      say: nothing,
      afterwards: nothing,
    },
    input as BuildInput,
  );
  await building.finally(() => folders.remove());
}

function refused(file: string, name: string, text: Content, says?: string): Probe {
  const run = () => build({ [file]: text });
  return { name: `${file}: ${name}`, outcome: 'refused', run, ...(says === undefined ? {} : { says }) };
}

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
/** Each line names the one before it ten times. */
const laughs = lines(
  10,
  (n) => `a${n}: &a${n} [${Array.from({ length: 10 }, () => (n === 0 ? 'ha' : `*a${n - 1}`)).join(', ')}]`,
);

/** Settings files of Motoko projects. */
export const projectProbes: readonly Probe[] = [
  refused('icp.yaml', 'lists in lists, by dashes', '- '.repeat(120_000)),
  refused('icp.yaml', 'keys in keys, by question marks', '? '.repeat(60_000)),
  refused('icp.yaml', 'flow lists in flow lists', '['.repeat(200_000)),
  refused('icp.yaml', 'flow maps in flow maps', '{a: '.repeat(60_000)),
  refused(
    'icp.yaml',
    'maps in maps, by indentation',
    lines(600, (n) => `${' '.repeat(n)}a:`),
  ),
  refused('icp.yaml', 'aliases of aliases', laughs, 'alias count'),
  refused('icp.yaml', 'a list that holds itself', 'canisters: &a [*a]'),
  refused('icp.yaml', 'merge keys', `a: &a {b: 1}\nc:\n${lines(10_000, () => '  <<: *a')}`),
  refused(
    'icp.yaml',
    'fifteen thousand anchors',
    lines(15_000, (n) => `- &a${n} x`),
  ),
  refused(
    'icp.yaml',
    'twenty thousand keys',
    lines(20_000, (n) => `k${n}: x`),
  ),
  refused('icp.yaml', 'a scalar of 200 kB', `a: ${'x'.repeat(200_000)}`),
  refused('icp.yaml', 'a block text of 80,000 lines', `a: |\n${lines(80_000, () => ' x')}`),
  refused('icp.yaml', 'escapes', `a: "${'\\u0041'.repeat(40_000)}"`),
  refused('icp.yaml', 'a quote without end', `a: "${'\\"'.repeat(120_000)}`),
  refused(
    'icp.yaml',
    'thirty thousand documents',
    lines(30_000, () => '---\na: b'),
  ),
  refused(
    'icp.yaml',
    'tags that would make objects',
    'canisters: !!js/function "function() { while (true); }"',
  ),
  refused('icp.yaml', 'a key that would change the prototype', '__proto__:\n  canisters: [x]\ncanisters: []'),
  refused('icp.yaml', 'NULs', '\0'.repeat(10_000)),
  refused('icp.yaml', 'UTF-16', Buffer.from('\uFEFFcanisters: []', 'utf16le')),
  refused('icp.yaml', 'tabs', '\t- a\n'.repeat(10_000)),
  refused('icp.yaml', '5 MB', `# ${'x'.repeat(5_000_000)}`, 'larger than 256 kB'),
  {
    name: 'icp.yaml: a pattern of canisters with fourteen stars',
    outcome: 'refused',
    run: () =>
      build({
        'icp.yaml': `canisters:\n  - "${'*a'.repeat(14)}*b"\n`,
        [`${'a'.repeat(120)}/canister.yaml`]: 'name: a',
      }),
  },
  {
    name: 'icp.yaml: braces that a shell would write out a million times',
    outcome: 'refused',
    run: () =>
      build({ 'icp.yaml': `canisters:\n  - "${'{a,b}'.repeat(20)}"\n`, 'a/canister.yaml': 'name: a' }),
  },
  refused('icp.yaml', 'a pattern that cannot be read', 'canisters:\n  - "{a"\n', 'not closed'),
  refused(
    'icp.yaml',
    'a build step made for a regular expression',
    `canisters:\n  - build:\n      steps:\n        - commands:\n            - moc ${'a.mo!'.repeat(20_000)}\n`,
  ),
  refused('mops.toml', 'lists in lists', `a = ${'['.repeat(200_000)}`),
  refused('mops.toml', 'tables in tables', `a = ${'{a='.repeat(80_000)}`),
  refused('mops.toml', 'a key of 100,000 parts', `${'a.'.repeat(100_000)}b = 1`),
  refused('mops.toml', 'a table of 100,000 parts', `[${'a.'.repeat(100_000)}b]`),
  refused(
    'mops.toml',
    'thirty thousand tables of one name',
    lines(30_000, () => '[[a]]'),
  ),
  refused(
    'mops.toml',
    'fifteen thousand canisters',
    `[canisters]\n${lines(15_000, (n) => `c${n} = "a.mo"`)}`,
    'more than 50 canisters',
  ),
  refused('Cargo.toml', 'lists in lists', `a = ${'['.repeat(200_000)}`),
  refused(
    'Cargo.toml',
    'thirty thousand members',
    `[workspace]\nmembers = [${'"a*",'.repeat(30_000)}]`,
    'more than 1000 members',
  ),
  refused('Cargo.toml', 'a member outside', '[workspace]\nmembers = ["../../*"]', 'outside the repository'),
  refused('mops.toml', 'a string without end', `a = """${'\\'.repeat(200_000)}`),
  refused(
    'mops.toml',
    'a key that would change the prototype',
    '[__proto__]\ncanisters = "x"\n[canisters]\n__proto__ = "a.mo"',
  ),
  refused('mops.toml', 'numbers no machine holds', `a = ${'9'.repeat(200_000)}`),
  refused('mops.toml', 'comments', '#\n'.repeat(120_000)),
  refused('dfx.json', 'lists in lists', '['.repeat(200_000)),
  refused('dfx.json', 'commas, each before much white space', `[${`,${' '.repeat(900)}`.repeat(250)}`),
  refused('dfx.json', 'comments within comments', `{${'/* */,'.repeat(40_000)}`),
  refused('dfx.json', '4 MB', `{"a":"${'x'.repeat(4_000_000)}"}`, 'larger than 256 kB'),
  refused(
    'dfx.json',
    'a key that would change the prototype',
    '{"__proto__":{"canisters":{"a":{"main":"a.mo"}}},"canisters":{}}',
  ),
  refused(
    'dfx.json',
    'eight thousand canisters',
    `{"canisters":{${Array.from({ length: 8_000 }, (_, n) => `"c${n}":{"main":"a.mo"}`).join()}}}`,
    'more than 50 canisters',
  ),
  refused(
    'dfx.json',
    'flags of 200 kB',
    `{"canisters":{"a":{"main":"a.mo","args":"${"' ".repeat(100_000)}"}}}`,
  ),
  refused('dfx.json', 'a name of 200 kB', `{"canisters":{"${'n'.repeat(200_000)}":{"main":"a.mo"}}}`),
];

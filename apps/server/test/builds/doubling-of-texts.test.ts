import {
  doubleTexts,
  type Growing,
  type TextReader,
} from '../../../../packages/network/test/double-texts.ts';
import { planBuild } from '../../src/builders/commands/build-command.ts';
import { detectFramework } from '../../src/builders/site/detect-framework.ts';
import { SETTINGS_LIMIT } from '../../src/builders/site/site-project.ts';
import { statedBuild } from '../../src/builders/site/stated-build.ts';
import { filterFlags, splitFlags } from '../../src/builders/source/flags.ts';
import { importsOf } from '../../src/builders/project/motoko-sources.ts';
import { parseLenientJson, parseToml, parseYaml } from '../../src/builders/source/settings-text.ts';
import { readDhall } from '../../src/builders/packages/needs/dhall.ts';
import { yarnSettings } from '../../src/builders/source/yarn-settings.ts';
import { hookHosts, pushedRefs } from '../../src/features/deploy-hook/hook-hosts.ts';
import { skipWordsOf } from '../../src/features/deploy/runs/skip-words.ts';
import { cleanLine, plainLine } from '../../src/jobs/clean-line.ts';
import { SecretHider } from '../../src/jobs/secret-hider.ts';

const KILOBYTE = 1024;
/** Bytes of a settings file of a project (project-files.ts). */
const SETTINGS = 256 * KILOBYTE;

const nested: readonly Growing[] = [
  ['', '['],
  ['', '{"a":'],
  ['', '[', ']'],
  ['[', '1,', '1]'],
  ['{', '"key":1,', '"key":1}'],
  ['"', '\\u0041', '"'],
  ['"', '\\'],
  ['', ' '],
  ['', '\n'],
  ['', '/*'],
  ['', '// a\n'],
];

const readers: readonly TextReader[] = [
  {
    name: 'JSON of a project',
    cap: SETTINGS,
    most: 2_000,
    read: (text) => parseLenientJson(text, 'dfx.json'),
    texts: nested,
  },
  {
    name: 'YAML of a project',
    cap: SETTINGS,
    most: 8_000,
    read: (text) => parseYaml(text, 'icp.yaml'),
    texts: [
      ...nested,
      ['', '- a\n'],
      ['', 'a: b\n'],
      ['', '- &a b\n'],
      ['- &a b\n', '- *a\n'],
      ['', '# a\n'],
      ['a: |\n', ' b\n'],
      ['a: "', 'b\n ', '"'],
      ['', '--- a\n'],
      ['', '? a\n'],
      ['', '!a '],
      ['', 'a '],
      ['a: [', 'b: c, ', ']'],
      ['', '- '],
    ],
  },
  {
    name: 'TOML of a project',
    cap: SETTINGS,
    most: 2_000,
    read: (text) => parseToml(text, 'mops.toml'),
    texts: [
      ['', '[a]\n'],
      ['', '[[a]]\n'],
      ['', 'a.'],
      ['a = [', '1, ', ']'],
      ['a = """', 'b\n', '"""'],
      ['', '# a\n'],
      ['a = ', '['],
      ['a = {', 'b = {', '}'],
      ['', '"'],
      ['a = "', '\\u0041', '"'],
    ],
  },
  {
    name: 'settings of yarn',
    cap: SETTINGS,
    most: 8_000,
    read: yarnSettings,
    texts: [['', 'catalog: a\n'], ['packageExtensions:\n', '  a: b\n'], ...nested],
  },
  {
    name: 'Dhall of vessel',
    cap: KILOBYTE * KILOBYTE,
    most: 2_000,
    read: (text) => readDhall(text, 'vessel.dhall'),
    texts: [
      ['', '{-'],
      ['', '{'],
      ['', '['],
      ['', 'a '],
      ['', '--\n'],
      ['', ' '],
      ['', 'https://a.b/c '],
      ['"', 'a', '"'],
      ['', '`a`'],
      ['let a = ', 'a // ', 'a in a'],
      ['[', '"a",', '"a"]'],
    ],
  },
  {
    name: 'flags of a compiler',
    cap: SETTINGS,
    most: 500,
    read: (text) => filterFlags(splitFlags(text)),
    texts: [
      ['', '-W a '],
      ['', '"'],
      ['', "'a"],
      ['', '-unknown a '],
      ['', ' '],
    ],
  },
  {
    name: 'build command',
    cap: 10_000,
    most: 500,
    read: planBuild,
    texts: [
      ['npm', ' -a'],
      ['npm', ' --prefix a'],
      ['npm -a', ' 1'],
      ['', 'npm ci && '],
      ['cd ', 'a'],
      ['', ' '],
      ['corepack enable ', 'a '],
      ['', 'npm run '],
      ['npm run ', ' '],
      ['yarn', ' -a=b', ' !'],
    ],
  },
  {
    name: 'what netlify.toml states',
    cap: SETTINGS_LIMIT,
    most: 500,
    read: (text) => statedBuild(new Map([['netlify.toml', text]])),
    texts: [
      ['[build]\n', 'base = "x"\n'],
      ['[build]\ncommand = "npm run', ' '],
      ['[build]\npublish = "', './'],
      ['', '[['],
      ['', '[a]\n'],
    ],
  },
  {
    name: 'what vercel.json states',
    cap: SETTINGS_LIMIT,
    most: 500,
    read: (text) => statedBuild(new Map([['vercel.json', text]])),
    texts: [
      ['', '['],
      ['{"outputDirectory":"', 'a/'],
      ['{"buildCommand":"', 'yarn '],
    ],
  },
  {
    name: 'settings of a site generator',
    cap: SETTINGS_LIMIT,
    most: 500,
    read: (text) =>
      detectFramework({
        paths: ['package.json', 'vite.config.js'],
        texts: new Map([
          ['package.json', '{"dependencies":{"vite":"1"},"scripts":{"build":"vite build"}}'],
          ['vite.config.js', text],
        ]),
      }),
    texts: [
      ['', 'outDir'],
      ['', 'outDir: '],
      ['', 'outDir: "a'],
      ['', 'root '],
      ['outDir', ' '],
    ],
  },
  {
    name: 'dfx.json of what may be a site',
    cap: SETTINGS_LIMIT,
    most: 500,
    read: (text) => detectFramework({ paths: ['dfx.json'], texts: new Map([['dfx.json', text]]) }),
    texts: [
      ['', '"type":"motoko",'],
      ['', '"type" : '],
      ['', '"type":"'],
      ['', '"main":"'],
      ['', '"main":"a'],
      ['"main":"', 'a.mo'],
    ],
  },
  {
    name: 'scripts of a package',
    cap: SETTINGS_LIMIT,
    most: 500,
    read: (text) => detectFramework({ paths: ['package.json'], texts: new Map([['package.json', text]]) }),
    texts: [
      ['{"dependencies":{"@11ty/eleventy":"1"},"scripts":{"build":"', '--output=', '"}}'],
      ['{"dependencies":{"vitepress":"1"},"scripts":{"build":"', 'vitepress build ', '"}}'],
      ...nested,
    ],
  },
  {
    name: 'imports of a source',
    cap: 4 * KILOBYTE * KILOBYTE,
    most: 2_000,
    read: importsOf,
    texts: [
      ['', 'import '],
      ['', 'import a "b";'],
      ['', 'import "'],
      ['', '"'],
      ['', ' '],
    ],
  },
  {
    name: 'a delivery of a webhook',
    cap: KILOBYTE * KILOBYTE,
    most: 500,
    read: (text) =>
      hookHosts.map((host) => pushedRefs(host, { body: Buffer.from(text), type: 'application/json' })),
    texts: [
      ...nested,
      ['{"ref":"', 'a', '"}'],
      ['{"ref":"a","after":"b","commits":[', '{"id":"c","message":"d"},', '{}]}'],
    ],
  },
  {
    name: 'the message of a commit',
    cap: 64 * KILOBYTE,
    most: 500,
    read: skipWordsOf,
    texts: [
      ['', '[skip '],
      ['', '[skip ci'],
      ['', '\n'],
      ['', '\r\n\r\n'],
      ['a\n\n', 'skip-checks: '],
      ['a\n\nskip-checks:', ' ', 'false'],
      ['a\n\n', 'skip-checks: false\n'],
    ],
  },
  {
    name: 'a line of a build',
    cap: 8_000,
    most: 500,
    read: (text) => cleanLine(text, new SecretHider(['a secret of the build', 'aaaaaaaa'])),
    texts: [
      ['', '\u001b['],
      ['', '\u001b]'],
      ['', 'a'],
      ['', 'YWFhYWFhYWE='],
      ['', 'a%'],
      ['', 'https://a:b'],
      ['', 'Bearer '],
      ['', 'cnry_-'],
      ['', '_authToken='],
      ['', ' … ('],
      ['', ' … (1'],
      [' … (', '1'],
      ['', 'a secret of the '],
      ['', '61'],
      ['', 'a '],
      ['', 'A\u001b[0m'],
    ],
  },
  {
    name: 'a line of a stranger',
    cap: 64 * KILOBYTE,
    most: 500,
    read: plainLine,
    texts: [
      ['', '\u001b['],
      ['', '\u001b]'],
      ['', '\u001b[0;'],
      ['', '\u001b]0;a\u0007'],
      ['', '\u200b'],
      ['', '\ud800'],
      ['', '\r'],
    ],
  },
];

doubleTexts(readers);

import {
  doubleTexts,
  type Growing,
  type TextReader,
} from '../../../../packages/network/test/double-texts.ts';
import { planBuild } from '../../src/builders/commands/build-command.ts';
import { linksOfPage } from '../../src/builders/folder-program/check-page.mjs';
import { SecretSearch } from '../../src/builders/folder-program/check-secrets.mjs';
import { pathOf, Served } from '../../src/builders/folder-program/check-served.mjs';
import { linksOfStyle } from '../../src/builders/folder-program/check-style.mjs';
import { CHECK_LIMITS } from '../../src/builders/site/check-site.ts';
import { detectFramework, SETTINGS_LIMIT } from '../../src/builders/site/detect-framework.ts';
import { filterFlags, splitFlags } from '../../src/builders/source/flags.ts';
import { importsOf } from '../../src/builders/project/motoko-sources.ts';
import { parseLenientJson, parseToml, parseYaml } from '../../src/builders/source/settings-text.ts';
import { readDhall } from '../../src/builders/packages/needs/dhall.ts';
import { yarnSettings } from '../../src/builders/source/yarn-settings.ts';
import { hookHosts, pushedRefs } from '../../src/features/deploy-hook/hook-hosts.ts';
import { Glob } from '../../src/glob/glob.ts';
import { parseAssetRules } from '../../src/ic/assets/asset-rules.ts';
import { SiteHeaders } from '../../src/ic/assets/headers-file.ts';
import { RedirectsReader } from '../../src/ic/assets/redirects-file.ts';
import { SiteAddresses } from '../../src/ic/assets/site-addresses.ts';
import { cleanLine, plainLine } from '../../src/jobs/clean-line.ts';
import { SecretHider } from '../../src/jobs/secret-hider.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
/** Bytes of a settings file of a project (project-files.ts). */
const SETTINGS = 256 * KILOBYTE;

/** A site of some pages, one with a long name. */
const manyAddresses = new SiteAddresses(
  new Map(
    [...Array.from({ length: 20 }, (_, n) => `/page-${n}.html`), `/${'a-'.repeat(100)}`].map((key) => [
      key,
      true,
    ]),
  ),
);

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
    texts: [...nested, ['{"ref":"', 'a', '"}']],
  },
  {
    name: 'rules of a site',
    cap: SETTINGS,
    most: 2_000,
    read: (text) => parseAssetRules(text, '.ic-assets.json5'),
    texts: [...nested, ['[', '{"match":"*"},', ']'], ['[{"match":"*","headers":{', '"a":"b",', '}}]']],
  },
  {
    name: 'pattern of a rule',
    cap: 1_000,
    most: 500,
    read: (text) => new Glob(text, { acrossFolders: true }).matches('a/'.repeat(100)),
    texts: [
      ['', '*'],
      ['', '**/'],
      ['', '{'],
      ['', '{a,'],
      ['', '[a-z]'],
      ['', '*a'],
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
  {
    name: 'links of a page',
    cap: CHECK_LIMITS.pageFile,
    most: 3_000,
    read: (text) => {
      const served = new Served([['index.html', 'index.html', true]], []);
      for (const { value } of linksOfPage(text)) {
        const path = pathOf(value, 'http://site.invalid/index.html');
        if (path !== null && !served.has(path)) served.inOtherLetters(path);
      }
    },
    texts: [
      ['', '<'],
      ['', '<a '],
      ['', '<a href=x>'],
      ['', '<a href="/x.png">'],
      ['', '<a href="'],
      ['', '<a href=\'"'],
      ['<a href="', '/'],
      ['<a href="', '/', '">'],
      ['<a ', 'b'],
      ['<a ', 'b '],
      ['<a', ' '],
      ['<a ', '= '],
      ['', '<!--'],
      ['', '<!-- --'],
      ['', '<!'],
      ['', '<script>'],
      ['<script>', '</'],
      ['<script>', '</script'],
      ['', '<template>'],
      ['', '</template>'],
      ['', '<a href=&#x26;&amp;%25>'],
      ['', '<base href=../x>'],
      ['', `<link rel="${' icon'.repeat(10)}" href=${'a/'.repeat(1_000)}.png>`],
    ],
  },
  {
    name: 'links of a style',
    cap: CHECK_LIMITS.pageFile,
    most: 3_000,
    read: (text) => [...linksOfStyle(text)],
    texts: [
      ['', 'url('],
      ['', 'url(x)'],
      ['', 'url("x'],
      ['', 'url( '],
      ['url(', ' '],
      ['', '"'],
      ['"', '\\'],
      ['', '"\n'],
      ['', '/*'],
      ['', '/* *'],
      ['', "url('"],
    ],
  },
  {
    name: 'lines of _redirects',
    cap: 256 * KILOBYTE,
    most: 2_000,
    read: (text) => {
      const reader = new RedirectsReader(manyAddresses, () => []);
      try {
        return reader.read(text);
      } catch (error) {
        // More rules than a site may have.
        return error;
      }
    },
    texts: [
      ['', '/a /b\n'],
      ['', '/a/* /a/b/c/d\n'],
      ['', '/a/:b/'],
      ['/a ', '/'],
      ['/a ', ' '],
      ['/old/* /', 'page/', ':splat'],
      ['/:a-:b-:c /', 'a-', ':a-:b-:c'],
      ['/:a ', '/:a'],
      ['/', '*'],
      ['', '/old/* /:splat\n'],
      ['', '#'],
      ['', '\n'],
      ['', '/a%'],
    ],
  },
  {
    name: 'lines of _headers',
    cap: 256 * KILOBYTE,
    most: 2_000,
    read: (text) => {
      try {
        const headers = new SiteHeaders(text);
        return ['/a', `/${'a-'.repeat(500)}`].map((path) => headers.of([path]));
      } catch (error) {
        return error;
      }
    },
    texts: [
      ['/*\n', ' A: b\n'],
      ['/*\n A: ', 'b'],
      ['', '/*\n'],
      ['', '/:a\n'],
      ['/', ':a-'],
      ['/', 'a-', '*'],
      ['/', '*'],
      ['', ':'],
      ['', '/%\n'],
      ['', ' A: b\n'],
    ],
  },
  {
    name: 'a file with secrets',
    cap: 8 * MEGABYTE,
    most: 3_000,
    read: (text) => {
      const secrets = [
        `${'a'.repeat(4_000)}b`,
        `b${'a'.repeat(4_000)}`,
        `${'ab'.repeat(2_000)}c`,
        'secret-of-ada',
      ];
      const search = new SecretSearch(secrets.map((secret) => ['KEY', [secret]]));
      search.begin();
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 256 * KILOBYTE)
        search.read(bytes.subarray(at, at + 256 * KILOBYTE));
    },
    texts: [
      ['', 'ab'],
      ['', 'a'],
      ['', 'ba'],
      ['', 'secret-of-'],
      ['', 'secret-of-a'],
      ['', ' '],
    ],
  },
];

doubleTexts(readers);

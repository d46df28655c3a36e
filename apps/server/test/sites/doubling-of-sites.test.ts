import {
  doubleTexts,
  type Growing,
  type TextReader,
} from '../../../../packages/network/test/double-texts.ts';
import { linksOfPage } from '../../src/builders/folder-program/check-page.mjs';
import { SecretSearch } from '../../src/builders/folder-program/check-secrets.mjs';
import { pathOf, Served } from '../../src/builders/folder-program/check-served.mjs';
import { linksOfStyle } from '../../src/builders/folder-program/check-style.mjs';
import { CHECK_LIMITS } from '../../src/builders/site/check-site.ts';
import { Glob } from '../../src/glob/glob.ts';
import { parseAssetRules } from '../../src/ic/assets/asset-rules.ts';
import { SiteHeaders } from '../../src/ic/assets/headers-file.ts';
import { RedirectsReader } from '../../src/ic/assets/redirects-file.ts';
import { SiteAddresses } from '../../src/ic/assets/site-addresses.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

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
    name: 'rules of a site',
    cap: 256 * KILOBYTE,
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

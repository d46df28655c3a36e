import { siteAssets } from '../../src/features/deploy/publish/site-assets.ts';
import type { Outcome, Probe } from './probe.ts';

type Content = string | Uint8Array;

async function site(files: Readonly<Record<string, Content>>): Promise<void> {
  await siteAssets(
    Object.entries(files).map(([path, content]) => ({
      path,
      size: content.length,
      read: async () => Buffer.from(content),
    })),
  );
}

function rules(name: string, outcome: Outcome, text: Content, says?: string): Probe {
  const run = () => site({ 'index.html': 'x', 'a/b.js': 'x', '.ic-assets.json5': text });
  return { name: `.ic-assets.json5: ${name}`, outcome, run, ...(says === undefined ? {} : { says }) };
}

function pattern(name: string, match: string, path: string, outcome: Outcome = 'used'): Probe {
  const text = JSON.stringify([{ match, ignore: true }]);
  return {
    name: `pattern: ${name}`,
    outcome,
    run: () => site({ 'index.html': 'x', [path]: 'x', '.ic-assets.json5': text }),
  };
}

const LONG = 'a'.repeat(120);
const DEEP = 'a/'.repeat(60);
const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le');

/** Patterns and files of rules of a static site. */
export const siteProbes: readonly Probe[] = [
  pattern('fourteen stars before a letter that never comes', `${'*a'.repeat(14)}*b`, LONG),
  pattern('five hundred stars', `${'*a'.repeat(499)}b`, LONG),
  pattern('a tower of two stars', `${'**/'.repeat(300)}b`, `${DEEP}a`),
  pattern('two stars between letters', `${'a/**/'.repeat(150)}b`, `${DEEP}a`),
  pattern('braces in one another', `${'{a,*'.repeat(20)}${'}'.repeat(20)}b`, LONG),
  pattern('braces deeper than allowed', `${'{a,'.repeat(50)}${'}'.repeat(50)}`, LONG, 'refused'),
  pattern('a row of braces, each doubling the ways', `${'{*a,*aa}'.repeat(100)}b`, LONG),
  pattern('braces without content', `${'{,}'.repeat(300)}b`, LONG),
  pattern('negated classes', `${'[!b]*'.repeat(190)}b`, LONG),
  pattern('any and many', `${'?*'.repeat(450)}b`, LONG),
  pattern('a class that is never closed', '['.repeat(900), LONG, 'refused'),
  pattern('backslashes', '\\'.repeat(998), LONG),
  pattern('a pattern of 100,000 characters', '*a'.repeat(50_000), LONG, 'refused'),
  pattern('what a regular expression would make of it', '(a+)+$^.*(?=x)\\1', LONG),
  pattern('text beyond the basic plane', `${'*😀'.repeat(200)}b`, '😀'.repeat(60)),
  rules(
    'a thousand rules for a thousand files',
    'used',
    JSON.stringify(Array.from({ length: 1_000 }, (_, n) => ({ match: `*a*b${n}*c*` }))),
  ),
  rules(
    'ten thousand rules',
    'refused',
    JSON.stringify(Array.from({ length: 10_000 }, () => ({ match: '*' }))),
    'rules',
  ),
  rules('20 MB', 'refused', `[${'{match:"*"},'.repeat(1_700_000)}]`, 'larger than 256 kB'),
  rules('a million lines', 'refused', '\n'.repeat(1_000_000), 'larger than 256 kB'),
  rules('lists in lists', 'refused', '['.repeat(200_000)),
  rules('objects in objects', 'refused', '{a:'.repeat(60_000)),
  rules('a comment without end', 'refused', `/*${'/*'.repeat(100_000)}`),
  rules(
    'a key that would change the prototype',
    'refused',
    '[{match:"*","__proto__":{ignore:true}}]',
    '__proto__',
  ),
  rules('a constructor', 'refused', '[{match:"*",constructor:{prototype:{ignore:true}}}]', 'constructor'),
  rules('UTF-16', 'refused', utf16('[]')),
  rules('a byte order mark', 'used', '\uFEFF[]'),
  rules('NULs', 'refused', '\0'.repeat(1_000)),
  rules('bytes that are no UTF-8', 'refused', Buffer.alloc(1_000, 0xff)),
  rules('a number without end', 'refused', `[${'9'.repeat(200_000)}]`),
  rules(
    'a line break in a header',
    'refused',
    '[{match:"*",headers:{a:"x\\r\\nset-cookie: y"}}]',
    'characters',
  ),
  rules('a header with a space in its name', 'refused', '[{match:"*",headers:{"a b":"x"}}]', 'characters'),
  rules(
    '200 kB of headers',
    'refused',
    JSON.stringify([{ match: '*', headers: { a: 'x'.repeat(200_000) } }]),
    'bytes of headers',
  ),
  {
    name: '.ic-assets.json5: in three hundred folders',
    outcome: 'refused',
    says: '200 files of rules',
    run: () =>
      site(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}/.ic-assets.json5`, '[]']))),
  },
];

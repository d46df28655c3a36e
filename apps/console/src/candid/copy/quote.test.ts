import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteShell } from './quote.ts';

/** What a shell makes of a word: each argument it gives to a program, in hexadecimal. */
function argumentsIn(shell: string, word: string): string[] {
  const command = `for one in ${word}; do printf '%s' "$one" | od -An -v -tx1 | tr -d ' \\n'; echo; done`;
  return execFileSync(shell, ['-c', command], { encoding: 'utf8' }).trimEnd().split('\n');
}

const hex = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const hostile = [
  `it's`,
  `''`,
  `a "quoted" one`,
  '$(touch /tmp/owned)',
  '`touch /tmp/owned`',
  '${HOME} $HOME $1 $$',
  'a; rm -rf / & true | cat > x < y',
  'two\nlines',
  'a\r\nb\tc',
  String.raw`back\slash \' \n \\`,
  '!history !!',
  '*.ts ? [a-z] ~ {a,b}',
  '-rf',
  '# no comment',
  '\u001b[201~\nrm -rf ~\n',
  '\u0007\u0008\u007f',
  '\u202Eevil\u2066\u200b',
  '\u2028line\u2029',
  'grün 名前 🍞',
  '\uFEFFmark',
  `$'x'`,
  '%s%n',
];

test.each(hostile)('one word of bash is %j and nothing else', (text) => {
  const word = quoteShell(text) ?? '';
  expect(argumentsIn('bash', word)).toEqual([hex(text)]);
  expect(word).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});

test('all characters of one byte survive, alone and together', () => {
  const all = Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1));
  expect(argumentsIn('bash', quoteShell(all.join('')) ?? '')).toEqual([hex(all.join(''))]);
});

test('a text with NUL is no word', () => {
  expect(quoteShell('a\0b')).toBeUndefined();
});

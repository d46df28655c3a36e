import { expect, test } from 'vitest';
import { logLines, MAX_LINE_LENGTH, splitAnsi } from './ansi.ts';

const ESC = '\u001b';

test('plain text is one stretch', () => {
  expect(splitAnsi('npm ci')).toEqual([{ text: 'npm ci' }]);
  expect(splitAnsi('')).toEqual([]);
});

test('colours and weights start and end where the sequences say', () => {
  expect(splitAnsi(`a ${ESC}[1;31mred${ESC}[22m thin${ESC}[0m b ${ESC}[92mgreen${ESC}[39m c`)).toEqual([
    { text: 'a ' },
    { text: 'red', bold: true, colour: 'red' },
    { text: ' thin', bold: undefined, dim: undefined, colour: 'red' },
    { text: ' b ' },
    { text: 'green', colour: 'green' },
    { text: ' c', colour: undefined },
  ]);
});

test('extended colours are skipped with their numbers', () => {
  expect(splitAnsi(`${ESC}[38;5;31mone${ESC}[38;2;31;32;33mtwo${ESC}[36mthree`)).toEqual([
    { text: 'one' },
    { text: 'two' },
    { text: 'three', colour: 'cyan' },
  ]);
});

test.each([
  ['a cursor movement', `ab${ESC}[2Kc`],
  ['a hyperlink', `a${ESC}]8;;https://evil.example${ESC}\\b${ESC}]8;;${ESC}\\c`],
  ['a title change', `a${ESC}]0;title\u0007bc`],
  ['a lone escape', `ab${ESC}c`.replace(`${ESC}c`, `${ESC}Mc`)],
  ['marks that turn the reading direction', 'a\u202eb\u2066c'],
  ['bells and nulls', 'a\u0007b\u0000c'],
])('%s vanishes', (_name, line) => {
  expect(
    splitAnsi(line)
      .map(({ text }) => text)
      .join(''),
  ).toBe('abc');
});

test('a progress line shows what was written last', () => {
  expect(splitAnsi('10%\r50%\r100%')).toEqual([{ text: '100%' }]);
  expect(splitAnsi('windows line\r')).toEqual([{ text: 'windows line' }]);
});

test('a log is cut into lines; the last line break adds none', () => {
  expect(logLines('')).toEqual([]);
  expect(logLines('a\n\nb\n')).toEqual(['a', '', 'b']);
  expect(logLines('unfinished')).toEqual(['unfinished']);
});

test('an endless line is cut', () => {
  const [line = ''] = logLines('x'.repeat(5_000_000));
  expect(line.length).toBeLessThan(MAX_LINE_LENGTH + 10);
});

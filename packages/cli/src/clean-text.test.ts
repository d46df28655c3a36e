import { expect, test } from 'vitest';
import { cleanLine, plain, safeJson } from './clean-text.ts';

const E = '\u001b';

test.each([
  ['plain text', 'plain text'],
  ['a tab\tstays', 'a tab\tstays'],
  [`${E}[31mred${E}[0m`, `${E}[31mred${E}[0m${E}[0m`],
  [`${E}[1;38;5;200mpink`, `${E}[1;38;5;200mpink${E}[0m`],
  [`${E}[38;2;1;2;3;4mx`, 'x'],
  [`${E}[8mhidden${E}[5mblinking`, 'hiddenblinking'],
  [`${E}[2J${E}[H${E}[1Acleared`, 'cleared'],
  [`${E}]0;new title\u0007shown`, 'shown'],
  [`${E}]8;;http://evil\u001b\\link${E}]8;;\u001b\\`, 'link'],
  [`${E}]52;c;aGk=\u0007clipboard`, 'clipboard'],
  [`${E}Pq dcs${E}\\after`, 'after'],
  [`${E}(0lines${E}c reset`, 'lines reset'],
  ['10 %\r50 %\rdone\r', 'done'],
  ['bell\u0007 back\b\b nul\u0000 csi\u009b31m', 'bell back nul csi31m'],
  ['right\u202eto left\u2066 line\u2028break\nbreak', 'rightto left linebreakbreak'],
  [`cut ${E}[31`, 'cut 31'],
  [`end ${E}`, 'end '],
])('%j', (line, coloured) => {
  expect(cleanLine(line, true)).toBe(coloured);
  // oxlint-disable-next-line no-control-regex -- what is left of the colours
  expect(cleanLine(line, false)).toBe(coloured.replaceAll(/\u001b\[[\d;]*m/g, ''));
});

test('what is no log has no colours, and JSON nothing that a terminal obeys', () => {
  expect(plain(`${E}[31mname${E}[0m\r\n`)).toBe('name');
  const value = { name: `${E}]0;x\u0007 \u009b31m \u202e \u007f` };
  const json = safeJson(value);
  // oxlint-disable-next-line no-control-regex -- nothing but printable ASCII
  expect(json).toMatch(/^[\u0020-\u007e]+$/);
  expect(JSON.parse(json)).toEqual(value);
});

test('a hostile line takes no long time', () => {
  const before = process.threadCpuUsage();
  for (const piece of [`${E}]`, `${E}[`, `${E}[1;`, `${E}P`, '\r', `${E}[38;5;1`]) {
    cleanLine(piece.repeat(200_000), true);
    cleanLine(`${E}[${'1;'.repeat(50_000)}m`, true);
  }
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2_000);
});

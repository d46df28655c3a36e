import { expect, test } from 'vitest';
import { markFound } from './log-marks.ts';
import { findLines, LogModel, logAsText, logOfText, plainText } from './log-model.ts';

const T = 1_700_000_000_000;
const RED = '\u001b[31m';
const OFF = '\u001b[0m';

test('lines are appended once and in order, with their time, their phase and what they tell', () => {
  const model = new LogModel();
  const first = { first: 1, text: '==> Checking out\nok', at: T, after: [0, 5], phase: 'checkout' };
  expect([model.append(first), model.append(first)]).toEqual([true, true]);
  expect(model.append({ first: 9, text: 'behind a gap', at: T, after: [0], phase: 'build' })).toBe(false);
  model.append({ first: 3, text: `${RED}error:${OFF} no\nnext`, at: T + 90, after: [0, 1], phase: 'build' });
  const log = model.snapshot();
  expect(log.lines.map(plainText)).toEqual(['==> Checking out', 'ok', 'error: no', 'next']);
  expect(log.times).toEqual([T, T + 5, T + 90, T + 91]);
  expect(log.errors).toEqual([2]);
  expect(log.phases).toEqual([
    { phase: 'checkout', at: T },
    { phase: 'build', at: T + 90 },
  ]);
});

test('a log that is a text has neither times nor phases', () => {
  const log = logOfText('one\n\nthree\n');
  expect([log.count, log.lines, log.times, log.phases]).toEqual([
    3,
    ['one', '', 'three'],
    [null, null, null],
    [],
  ]);
  expect(logOfText('').count).toBe(0);
});

test('a search is plain text, whatever its case, and does not see colours', () => {
  const log = logOfText(`a.b\naXb\n${RED}A${OFF}.B here`);
  expect(findLines(log, 'a.b')).toEqual([0, 2]);
  expect(findLines(log, '')).toEqual([]);
  expect(findLines(log, '(')).toEqual([]);
});

test('what was found is marked in the text as it is', () => {
  expect(markFound('One one ONE', 'one').map(({ text, found }) => [text, found])).toEqual([
    ['One', true],
    [' ', false],
    ['one', true],
    [' ', false],
    ['ONE', true],
  ]);
  expect(markFound('abc', 'x')).toEqual([{ text: 'abc', found: false, at: 0 }]);
  // In lower case this letter is two characters.
  expect(markFound('İstanbul', 'stan').map(({ text }) => text)).toEqual(['İstanbul']);
});

test('a download is plain text, with times when they are wanted and known', () => {
  const model = new LogModel();
  model.append({ first: 1, text: `${RED}red${OFF}`, at: T, after: [0], phase: null });
  model.append({ first: 2, text: 'old', at: null, after: [], phase: null });
  expect(logAsText(model.snapshot(), false)).toBe('red\nold\n');
  expect(logAsText(model.snapshot(), true)).toBe('2023-11-14T22:13:20.000Z red\nold\n');
});

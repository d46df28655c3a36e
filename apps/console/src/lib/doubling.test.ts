import { doubleTexts } from '../../../../packages/network/test/double-texts.ts';
import { logLines, MAX_LINE_LENGTH, splitAnsi } from './text/ansi.ts';

doubleTexts([
  {
    name: 'a line of a log on screen',
    cap: MAX_LINE_LENGTH,
    most: 100,
    read: splitAnsi,
    texts: [
      ['', '\r'],
      ['', '\r', 'x'],
      ['', 'a\r'],
      ['', '\u001b['],
      ['', '\u001b]'],
      ['', '\u001b[1m'],
      ['\u001b[', '1;', 'm'],
      ['\u001b[', '38;', 'm'],
      ['', '\u202e'],
    ],
  },
  {
    name: 'a log on screen',
    cap: 5 * 1024 * 1024,
    most: 2_000,
    read: logLines,
    texts: [
      ['', '\n'],
      ['', 'a\n'],
      ['', 'a'],
    ],
  },
]);

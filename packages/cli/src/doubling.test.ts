import { doubleTexts } from '../../network/test/double-texts.ts';
import { cleanLine, plain, safeJson } from './clean-text.ts';

/** Characters of a line beyond which it is cut. */
const LINE = 100_000;

doubleTexts([
  {
    name: 'a line of a log in a terminal',
    cap: LINE,
    most: 500,
    read: (text) => [cleanLine(text, true), cleanLine(text, false), plain(text)],
    texts: [
      ['', '\r'],
      ['', '\r', 'x'],
      ['', 'a\r'],
      ['', '\u001b['],
      ['', '\u001b]'],
      ['', '\u001b]0;'],
      ['', '\u001b[0;'],
      ['', '\u001b[1m'],
      ['\u001b[', '1;', 'm'],
      ['\u001b[', '38;5;1;', 'm'],
      ['\u001b', ' '],
      ['', '\u202e'],
    ],
  },
  {
    name: 'an answer in a terminal',
    cap: LINE,
    most: 500,
    read: safeJson,
    texts: [
      ['', '\u202e'],
      ['', '"'],
    ],
  },
]);

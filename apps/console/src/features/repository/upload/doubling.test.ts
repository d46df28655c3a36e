import { doubleTexts } from '../../../../../../packages/network/test/double-texts.ts';
import { ANSWER_LIMIT, refusalIn } from './push-files.ts';

doubleTexts([
  {
    name: 'an answer of git to a push',
    cap: ANSWER_LIMIT,
    most: 2_000,
    read: refusalIn,
    texts: [
      ['', '0000'],
      ['', '0005\u0001'],
      ['', '0009\u00010004'],
      ['', '0006\u0002x'],
      ['', '0006\u0002\n'],
      ['', 'ffff'],
    ],
  },
]);

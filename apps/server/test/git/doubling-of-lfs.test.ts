import {
  doubleTexts,
  type Growing,
  type TextReader,
} from '../../../../packages/network/test/double-texts.ts';
import { pointerIn } from '../../src/builders/folder-program/pointers.mjs';
import { readBatch, REQUEST_BYTES } from '../../src/features/repository/lfs-batch.ts';
import { ANSWER_BYTES, readLfsAnswer } from '../../src/git/outside/lfs-answer.ts';

const OID = 'a'.repeat(64);
const nested: readonly Growing[] = [
  ['', '['],
  ['', '{"objects":'],
  ['{"objects":', '[', ']'],
  ['{"objects":"', '\\u0041', '"}'],
  ['', ' '],
];
const download = `{"oid":"${OID}","size":1,"actions":{"download":{"href":"https://files.example/${'x'.repeat(300)}"}}}`;

const readers: readonly TextReader[] = [
  {
    name: 'a batch of Git LFS',
    cap: REQUEST_BYTES,
    most: 200,
    read: readBatch,
    texts: [
      ...nested,
      ['{"operation":"upload","objects":[', `{"oid":"${OID}","size":1},`, `{"oid":"${OID}","size":1}]}`],
      ['{"operation":"upload","objects":[', '1,', '1]}'],
    ],
  },
  {
    name: 'an answer of another host about Git LFS',
    cap: ANSWER_BYTES,
    most: 500,
    read: (text) => readLfsAnswer(text, [{ oid: OID, size: 1 }]),
    texts: [...nested, ['{"objects":[', `${download},`, `${download}]}`]],
  },
  {
    name: 'a pointer of Git LFS',
    cap: 1_024,
    most: 100,
    read: (text) => {
      for (let times = 0; times < 1_000; times += 1) pointerIn(Buffer.from(text));
    },
    texts: [
      ['version https://git-lfs.github.com/spec/v1\n', 'ext-0-a b\n', `oid sha256:${OID}\n`],
      ['version https://git-lfs.github.com/spec/v1\next-0-', 'a', '\n'],
      [`version https://git-lfs.github.com/spec/v1\noid sha256:${OID}\nsize `, '1', '\n'],
    ],
  },
];

doubleTexts(readers);

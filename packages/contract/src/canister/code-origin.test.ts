import { expect, test } from 'vitest';
import { originHeader, readOriginHeader } from './code-origin.ts';

test.each([
  ['dapp 1a', { dapp: '1a' }],
  ['registry 1a 1', { registry: '1a', version: 1 }],
  ['registry 1a 2000', { registry: '1a', version: 2000 }],
] as const)('%s is read as it is written', (text, origin) => {
  expect(readOriginHeader(text)).toEqual(origin);
  expect(originHeader(origin)).toBe(text);
});

test.each([
  '',
  'dapp',
  'dapp ',
  'dapp  1a',
  'dapp 1a ',
  'dapp 1a 1',
  'Dapp 1a',
  'registry 1a',
  'registry 1a ',
  'registry 1a 0',
  'registry 1a 01',
  'registry 1a -1',
  'registry 1a 1.5',
  'registry 1a 1e3',
  'registry 1a 10000000000',
  'registry 1a 1 1',
  'registry  1',
  'file',
  'run 1',
  'constructor 1',
  `dapp ${'x'.repeat(196)}`,
  `registry ${' '.repeat(10_000_000)}`,
])('%j is no origin', (text) => {
  expect(readOriginHeader(text)).toBeUndefined();
});

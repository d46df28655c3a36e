import { expect, test } from 'vitest';
import { chooseNode } from './prepare-tools.ts';

const own = '26.10.0';

test.each(['>=18', '*', 'node', 'lts/*', '26', 'v26.3.0', '>=20.19 || >=22.12', '^24 || ^26', '26.10.x', ''])(
  '%j is what the server has',
  (wish) => expect(chooseNode(wish, own)).toEqual({ kind: 'own' }),
);

test.each([
  ['20', 20],
  ['v20.11.1', 20],
  ['18.x', 18],
  ['^20.19.0', 20],
  ['>=18 <23', 22],
  ['^18 || ^20', 20],
  ['>=18.0.0 <26', 24],
  ['lts/iron', 20],
  ['lts/Jod', 22],
  ['lts-hydrogen', 18],
  ['16.14.0 ', 16],
  ['23', 23],
  ['<=14', 14],
])('%j is Node %d', (wish, major) => expect(chooseNode(wish, own)).toEqual({ kind: 'line', major }));

test.each(['8', '0.10.32', 'lts/none', 'system', '--version', '>=99', '$(id)', 'a'.repeat(100)])(
  '%j is nothing that can be had',
  (wish) => expect(chooseNode(wish, own)).toEqual({ kind: 'unknown' }),
);

test('a long list of ranges is no work', () => {
  const before = process.threadCpuUsage();
  chooseNode(Array.from({ length: 40 }, () => '>1 <2').join('||'), own);
  chooseNode('1'.repeat(200), own);
  chooseNode(` ${'>'.repeat(199)}`, own);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(200);
});

import { expect, test } from 'vitest';
import { refusalIn } from './push-files.ts';

const packet = (text: string): string =>
  `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
const report = (...lines: string[]): string =>
  packet(`\u0001${lines.map((line) => packet(`${line}\n`)).join('')}0000`);

test('a push counts as taken only when git says so of the pack and of the branch', () => {
  const taken = report('unpack ok', 'ok refs/heads/main');
  expect(refusalIn(`${taken}0000`)).toBeNull();
  expect(refusalIn(`${packet('\u0002Ein Lauf der Bäckerei beginnt.\n')}${taken}0000`)).toBeNull();
  expect(refusalIn(report('unpack ok', 'ng refs/heads/main failed to update ref'))).toBe(
    'ng refs/heads/main failed to update ref',
  );
  expect(refusalIn(`${packet('\u0002Kein Platz für mehr.\n')}${report('unpack refused')}0000`)).toBe(
    'Kein Platz für mehr.',
  );
  for (const nothing of ['', '0000', 'zzzz', '<html>', 'ffff', '0001', report()])
    expect(refusalIn(nothing)).toBe('The git host gave no reason.');
  expect(refusalIn(packet(`\u0002${'x'.repeat(10_000)}`))).toHaveLength(500);
});

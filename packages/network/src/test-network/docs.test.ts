import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the test that the documentation shows is run as it is there', () => {
  const shown = /```ts\n(.*?)```/s.exec(read('../../../../docs/networks/library.md'))?.[1];
  expect(shown).toBe(read('./counter.test.ts'));
});

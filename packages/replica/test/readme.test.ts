import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the test that the README shows is run as it is there', () => {
  expect(/```ts\n(.*?)```/s.exec(read('../README.md'))?.[1]).toBe(read('./counter.test.ts'));
});

import { expect, test } from 'vitest';
import { apiBaseOf } from './env.ts';

const page = (content: string | null) => ({
  querySelector: () => (content === null ? null : { getAttribute: () => content }),
});

test.each([
  ['/api', '/api'],
  ['https://api.example.org/v1/', 'https://api.example.org/v1'],
  [' /api/ ', '/api'],
  ['', '/api'],
  [null, '/api'],
])('[API-01] a page that says %j calls %s', (content, base) => {
  expect(apiBaseOf(page(content) as unknown as Document)).toBe(base);
});

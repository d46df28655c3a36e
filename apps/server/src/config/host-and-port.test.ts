import { expect, test } from 'vitest';
import { localUrl } from './host-and-port.ts';

test('what listens at every address is reached over loopback, and what listens at one is reached there', () => {
  expect(localUrl('127.0.0.1', 4000)).toBe('http://127.0.0.1:4000');
  expect(localUrl('0.0.0.0', 4000)).toBe('http://127.0.0.1:4000');
  expect(localUrl('::', 4000)).toBe('http://127.0.0.1:4000');
  expect(localUrl('10.0.0.5', 4000)).toBe('http://10.0.0.5:4000');
  expect(localUrl('fd00::1', 4000)).toBe('http://[fd00::1]:4000');
});

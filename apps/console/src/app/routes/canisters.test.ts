import { expect, test } from 'vitest';
import { loadFailureText } from './canisters.tsx';

test('[ERR-04] one failed list is named alone', () => {
  expect(loadFailureText('failed', 'loaded')).toBe('Error while fetching canister details');
  expect(loadFailureText('loaded', 'failed')).toBe('Error while fetching deploy details');
});

test('[ERR-05] both failed lists share one text, spelled so', () => {
  expect(loadFailureText('failed', 'failed')).toBe('Error while fetching caniser & deploy details');
});

test('nothing is said before both have ended, or when both went well', () => {
  expect(loadFailureText('failed', 'loading')).toBeUndefined();
  expect(loadFailureText('loading', 'failed')).toBeUndefined();
  expect(loadFailureText('loaded', 'loaded')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { innerPath } from './asked-path.ts';

const origin = 'http://localhost:4000';

test.each([
  '/ics/dashboard',
  '/ics/canister/aaaaa-aa?tab=logs#end',
  '/ics/deploy?type=MOTOKO&next=https://evil.example',
  '/a//b',
])('%s is an address of the console', (address) => {
  expect(innerPath(address, origin)).toBe(address);
});

test.each([
  '',
  'ics/dashboard',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\u0000/evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/\u202eevil',
  'https://evil.example',
  'https:/evil.example',
  'http://localhost:4943/',
  'http://localhost:4000/ics/dashboard',
  'javascript:alert(1)',
  'data:text/html,x',
  '\\\\evil.example',
  `/${'a'.repeat(3000)}`,
])('%j is not', (address) => {
  expect(innerPath(address, origin)).toBeUndefined();
});

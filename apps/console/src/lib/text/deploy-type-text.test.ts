import { expect, test } from 'vitest';
import { deployKind, deployTypeTag, deployTypeText } from './deploy-type-text.ts';

test('[CAN-28] the type text is lowercase with a space', () => {
  expect(deployTypeTag('STATIC_SITE')).toBe('static site');
  expect(deployTypeTag('MOTOKO')).toBe('motoko');
});

test('[DEP-01] the headings of the create screens', () => {
  expect(deployTypeText('STATIC_SITE')).toBe('Static Website');
  expect(deployTypeText('MOTOKO')).toBe('MOTOKO Smart Contract');
  expect(deployTypeText('CUSTOM')).toBe('Custom DFX DApp');
});

test('[DEPD-01] the header of a deploy', () => {
  expect(deployKind('STATIC_SITE')).toBe('STATIC SITE');
  expect(deployKind('MOTOKO')).toBe('SMART CONTRACT');
  expect(deployKind('CUSTOM')).toBe('SMART CONTRACT');
});

import { expect, test } from 'vitest';
import { commandOf } from './shortcuts.ts';

const pressed = (key: string, held: Partial<Parameters<typeof commandOf>[0]> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test('Ctrl or Cmd with K opens the palette, also while typing', () => {
  expect(commandOf(pressed('k', { ctrlKey: true }), true)).toBe('palette');
  expect(commandOf(pressed('K', { metaKey: true }), false)).toBe('palette');
  expect(commandOf(pressed('k'), false)).toBeUndefined();
  expect(commandOf(pressed('k', { ctrlKey: true, altKey: true }), false)).toBeUndefined();
});

test('? shows the shortcuts, but is a character in a field', () => {
  expect(commandOf(pressed('?'), false)).toBe('shortcuts');
  expect(commandOf(pressed('?'), true)).toBeUndefined();
  expect(commandOf(pressed('?', { ctrlKey: true }), false)).toBeUndefined();
});

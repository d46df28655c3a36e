import { expect, test } from 'vitest';
import { GoSequence, keysOf } from './go-keys.ts';
import { TypedAhead } from './typed-ahead.ts';

test('g and a letter lead to a page, if they come one after the other', () => {
  const sequence = new GoSequence();
  expect(sequence.press('d', 0)).toBeUndefined();
  expect(sequence.press('g', 100)).toBeUndefined();
  expect(sequence.press('d', 300)).toEqual({ to: '/ics/dashboard' });
  expect(sequence.press('d', 400), 'used up').toBeUndefined();
  sequence.press('g', 1_000);
  expect(sequence.press('m', 2_600), 'too late').toBeUndefined();
  sequence.press('g', 3_000);
  expect(sequence.press('z', 3_100), 'leads nowhere').toBeUndefined();
  expect(sequence.press('m', 3_200)).toBeUndefined();
  sequence.press('g', 4_000);
  sequence.press('g', 4_100);
  expect(sequence.press('m', 4_200)).toEqual({ to: '/ics/marketplace' });
  sequence.press('g', 5_000);
  sequence.end();
  expect(sequence.press('m', 5_100)).toBeUndefined();
});

test('the keys of an entry are told as people read them', () => {
  expect(keysOf('page:canisters')).toEqual(['G', 'C']);
  expect(keysOf('page:pipelines')).toBeUndefined();
});

test('what is typed before the palette is there is not lost', () => {
  const pressed = (key: string, held: Partial<KeyboardEvent> = {}) => ({ key, ...held }) as KeyboardEvent;
  const ahead = new TypedAhead();
  expect(ahead.press(pressed('x')), 'nobody has asked for it').toBe(false);
  ahead.begin();
  expect([...'stopp'].map((key) => ahead.press(pressed(key)))).not.toContain(false);
  ahead.press(pressed('Backspace'));
  expect(ahead.press(pressed('k', { ctrlKey: true }))).toBe(false);
  ahead.begin();
  expect(ahead.press(pressed('Enter'))).toBe(false);
  expect(ahead.get()).toBe('stop');
  ahead.end();
  expect(ahead.press(pressed('x')), 'the field hears it').toBe(false);
  expect(ahead.get()).toBe('');
});

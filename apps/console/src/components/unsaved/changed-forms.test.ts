import { expect, test } from 'vitest';
import { listed } from './changed-forms.ts';

test('forms are named as a sentence names them', () => {
  expect(listed([])).toBe('');
  expect(listed(['General'])).toBe('General');
  expect(listed(['General', 'Build'])).toBe('General and Build');
  expect(listed(['General', 'Build', 'Pushes'])).toBe('General, Build and Pushes');
});

import { expect, test } from 'vitest';
import { themeOf, themes } from './theme.ts';

test("[NAV-26] the four themes; 'default' comes first", () => {
  expect(themes).toEqual(['default', 'secondary', 'success', 'dark']);
});

test('[NAV-27] only the name of a theme is taken from storage', () => {
  expect(themeOf('dark')).toBe('dark');
  expect(themeOf('solarized')).toBeUndefined();
  expect(themeOf(null)).toBeUndefined();
});

import type { ThemeChoice } from '../../lib/browser/theme.ts';

/** How the themes are called on screen: each name begins with the key that the theme is stored by. */
export const themeNames: Record<ThemeChoice, string> = {
  default: 'Default (light)',
  secondary: 'Secondary (plum)',
  success: 'Success (leaf)',
  dark: 'Dark',
  system: 'System',
};

/** Beside a name: what it comes to. */
export const themeNotes: Partial<Record<ThemeChoice, string>> = { system: 'as your device' };

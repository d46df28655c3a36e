import type { ThemeChoice } from '../../lib/theme.ts';

/** How the themes are called on screen. */
export const themeNames: Record<ThemeChoice, string> = {
  default: 'Light',
  secondary: 'Plum',
  success: 'Leaf',
  dark: 'Dark',
  system: 'System',
};

/** Beside a name: the key that the theme is stored by, where that is another word. */
export const themeNotes: Partial<Record<ThemeChoice, string>> = {
  default: 'default',
  secondary: 'secondary',
  success: 'success',
  system: 'as your device',
};

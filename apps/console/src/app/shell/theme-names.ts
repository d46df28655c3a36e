import type { Theme } from '../../lib/theme.ts';

/** How the themes are called on screen. */
export const themeNames: Record<Theme, string> = {
  default: 'Default',
  secondary: 'Secondary',
  success: 'Success',
  dark: 'Dark',
};

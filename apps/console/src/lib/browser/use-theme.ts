import { useSyncExternalStore } from 'react';
import { themeStore, type ThemeChoice } from './theme.ts';

/** The theme that was chosen, re-rendering when another is. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(themeStore.subscribe, themeStore.choice);
}

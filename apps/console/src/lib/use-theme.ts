import { useSyncExternalStore } from 'react';
import { themeStore, type Theme } from './theme.ts';

/** The theme in use, re-rendering when another is chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore(themeStore.subscribe, themeStore.read);
}

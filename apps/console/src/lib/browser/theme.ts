import { useSyncExternalStore } from 'react';
import { Listeners } from './store.ts';

/** The four themes; `public/boot.js` applies the stored one before the first paint. */
export const themes = ['default', 'secondary', 'success', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** What can be chosen: a theme, or that of the operating system, which may change at any time. */
export const themeChoices = [...themes, 'system'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const KEY = 'theme';
/** Beside the theme, which is one of the four at any time, whoever chose it. `public/boot.js` reads it too. */
const FOLLOWS_KEY = 'theme-follows';
const SYSTEM = 'system';
const PREFERS_DARK = '(prefers-color-scheme: dark)';

/** The theme a stored value names, or undefined. */
export function themeOf(value: unknown): Theme | undefined {
  return themes.find((theme) => theme === value);
}

const listeners = new Listeners();

function apply(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset['theme'] = theme;
  listeners.tell();
}

export const themeStore = {
  /** The stored theme; 'default' when there is none. */
  read(): Theme {
    return themeOf(localStorage.getItem(KEY)) ?? 'default';
  },
  /** What was chosen, which is the stored theme unless that follows the operating system. */
  choice(): ThemeChoice {
    return localStorage.getItem(FOLLOWS_KEY) === SYSTEM ? SYSTEM : themeStore.read();
  },
  /** Stores a theme and applies it to the page; it follows nothing any more. */
  write(theme: Theme): void {
    localStorage.removeItem(FOLLOWS_KEY);
    apply(theme);
  },
  /** Stores a choice and applies it to the page. */
  choose(choice: ThemeChoice): void {
    if (choice !== SYSTEM) return themeStore.write(choice);
    localStorage.setItem(FOLLOWS_KEY, SYSTEM);
    apply(matchMedia(PREFERS_DARK).matches ? 'dark' : 'default');
  },
  /** Stores the theme in use, where none is stored yet. */
  keep(): void {
    apply(themeStore.read());
  },
  subscribe: listeners.subscribe,
};

/** The theme that was chosen, re-rendering when another is. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(themeStore.subscribe, themeStore.choice);
}

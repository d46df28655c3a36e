/** The four themes; `public/boot.js` applies the stored one before the first paint. */
export const themes = ['default', 'secondary', 'success', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'theme';

/** The theme a stored value names, or undefined. */
export function themeOf(value: unknown): Theme | undefined {
  return themes.find((theme) => theme === value);
}

const listeners = new Set<() => void>();

export const themeStore = {
  /** The stored theme; 'default' when there is none. */
  read(): Theme {
    return themeOf(localStorage.getItem(KEY)) ?? 'default';
  },
  /** Stores a theme and applies it to the page. */
  write(theme: Theme): void {
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset['theme'] = theme;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

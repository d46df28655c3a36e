import { innerPath } from './inner-path.ts';

const KEY = 'asked-path';

interface AskedPath {
  readonly path: string;
  readonly at: number;
}

/** As long as the service keeps a sign-in that has begun. */
const KEPT_MS = 15 * 60_000;

/**
 * The address a visitor asked for before the sign-in, kept in this tab while the sign-in by the button is under way. A
 * token that is opened by hand finds none and leads to the dashboard.
 */
export const askedPath = {
  /** Keeps the path, or forgets the one of before. */
  keep(path: string | undefined): void {
    if (path === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() } satisfies AskedPath));
  },
  /** The path that is kept, unless it is old or no path of this console; it is forgotten. */
  take(): string | undefined {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    if (text === null) return undefined;
    const { path, at } = readAskedPath(text);
    return Date.now() - at < KEPT_MS ? innerPath(path, location.origin) : undefined;
  },
};

function readAskedPath(text: string): AskedPath {
  try {
    const { path, at } = JSON.parse(text) as Record<string, unknown>;
    if (typeof path === 'string' && typeof at === 'number') return { path, at };
  } catch {
    // Somebody else wrote it.
  }
  return { path: '', at: 0 };
}

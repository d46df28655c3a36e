/** Characters that URL parsers drop or turn around, so that a text means another address than it seems to. */
const misleading = /[\\\p{Cc}\p{Cf}\p{Z}]/u;
const MAX_LENGTH = 2_000;

/**
 * The path, query and fragment of an address of this very origin; undefined for everything else: other origins in any
 * spelling (`//host`, `/\host`, `https:`), and texts with control characters.
 * @param address a path that starts with '/'
 */
export function innerPath(address: string | null | undefined, origin: string): string | undefined {
  if (!address?.startsWith('/') || address.length > MAX_LENGTH || misleading.test(address)) return undefined;
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  // Dots may be gone now, and what is left begin with '//'.
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}

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

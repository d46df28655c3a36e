import { authStore } from '../../../lib/session/auth-state.ts';

/** Entries of what was used last that the palette shows. */
export const RECENT_SIZE = 4;

/** One more than is shown: what is open is left out. */
const KEPT = RECENT_SIZE + 1;
const KEY = 'palette-recent';

interface Stored {
  readonly user: string;
  readonly ids: readonly string[];
}

function stored(): Partial<Stored> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Ids of what a user chose in the palette or opened last, newest first; one browser keeps those of one user. */
export const recentEntries = {
  read(user: string): readonly string[] {
    const { user: owner, ids } = stored();
    return owner === user && Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  },
  note(user: string, id: string): void {
    const ids = [id, ...recentEntries.read(user).filter((other) => other !== id)].slice(0, KEPT);
    localStorage.setItem(KEY, JSON.stringify({ user, ids } satisfies Stored));
  },
};

/** Forgets them when the session ends: whoever uses this browser next learns nothing of what was open. @returns what ends that */
export function forgetAtSignOut(): () => void {
  return authStore.subscribe(() => {
    if (authStore.get().signedOut) localStorage.removeItem(KEY);
  });
}

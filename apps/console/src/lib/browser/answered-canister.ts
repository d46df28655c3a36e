const KEY = 'answered-canister';

/**
 * The canister that has last answered a call of this browser. The Candid page writes it, which has no session to tell the service with;
 * the console passes it on, and the service looks whose canister that is.
 */
export const answeredCanister = {
  note(id: string): void {
    localStorage.setItem(KEY, id);
  },
  /** @returns the id, once */
  take(): string | undefined {
    const id = localStorage.getItem(KEY) ?? undefined;
    localStorage.removeItem(KEY);
    return id;
  },
  /** Calls when another page has written one. @returns what ends it */
  watch(onNews: () => void): () => void {
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key === KEY && newValue !== null) onNews();
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  },
};

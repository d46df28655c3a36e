import { useEffect, useState } from 'react';
import { readSavedCalls, type SavedCall, withoutSavedCall, withSavedCall } from './saved-calls.ts';

const KEY = 'candid-saved-calls';

const stored = (): SavedCall[] => readSavedCalls(localStorage.getItem(KEY));

/** The saved calls of one canister, newest first, as this browser keeps them. */
export interface SavedCalls {
  readonly saved: readonly SavedCall[];
  /** Keeps a call; answers why it cannot, if so. */
  readonly save: (call: Omit<SavedCall, 'place'>) => string | undefined;
  readonly remove: (name: string) => void;
}

/** @param place the network and the canister */
export function useSavedCalls(place: string): SavedCalls {
  const [all, setAll] = useState(stored);

  useEffect(() => {
    const follow = ({ key }: StorageEvent): void => {
      if (key === KEY || key === null) setAll(stored());
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);

  const keep = (next: readonly SavedCall[]): string | undefined => {
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      return 'This browser has no room for more.';
    }
    setAll([...next]);
    return undefined;
  };
  return {
    saved: all.filter((call) => call.place === place),
    // Another page may have saved something meanwhile.
    save: (call) => {
      const next = withSavedCall(stored(), { ...call, place });
      return typeof next === 'string' ? next : keep(next);
    },
    remove: (name) => void keep(withoutSavedCall(stored(), { place, name })),
  };
}

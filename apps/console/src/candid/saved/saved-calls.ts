import { useEffect, useState } from 'react';

/** A call that somebody has given a name, to be made again. */
export interface SavedCall {
  /** The network and the canister. */
  readonly place: string;
  readonly name: string;
  readonly method: string;
  /** Candid text. */
  readonly args: string;
}

export const LONGEST_NAME = 60;
/** Characters of arguments; longer ones are not worth a name. */
const LONGEST_ARGS = 8 * 1024;
const LONGEST_METHOD = 1024;
const MOST_OF_ONE_PLACE = 30;
/** Of all canisters together, so that the browser has room for what else the page keeps. */
const MOST = 200;

/** The saved calls in a text that the browser has kept; what is none is left out. */
export function readSavedCalls(text: string | null): SavedCall[] {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  return Array.isArray(kept) ? kept.flatMap(savedCall).slice(0, MOST) : [];
}

function savedCall(value: unknown): SavedCall[] {
  if (typeof value !== 'object' || value === null) return [];
  const { place, name, method, args } = value as Record<string, unknown>;
  const isCall =
    typeof place === 'string' &&
    typeof name === 'string' &&
    typeof method === 'string' &&
    typeof args === 'string';
  return isCall ? [{ place, name, method, args }] : [];
}

/** The saved calls with one more, instead of one of the same name; or a sentence on why it cannot be saved. */
export function withSavedCall(saved: readonly SavedCall[], call: SavedCall): SavedCall[] | string {
  if (call.name === '') return 'Enter a name.';
  if (call.name.length > LONGEST_NAME) return `A name has at most ${LONGEST_NAME} characters.`;
  if (call.args.length > LONGEST_ARGS || call.method.length > LONGEST_METHOD) {
    return 'These arguments are too long to be saved.';
  }
  const others = withoutSavedCall(saved, call);
  if (others.filter(({ place }) => place === call.place).length >= MOST_OF_ONE_PLACE) {
    return `${MOST_OF_ONE_PLACE} calls of this canister are saved already. Delete one first.`;
  }
  if (others.length >= MOST) return `${MOST} calls are saved already. Delete one of any canister first.`;
  return [call, ...others];
}

/** The saved calls without the one of a name. */
export function withoutSavedCall(
  saved: readonly SavedCall[],
  { place, name }: Pick<SavedCall, 'place' | 'name'>,
): SavedCall[] {
  return saved.filter((one) => one.place !== place || one.name !== name);
}

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

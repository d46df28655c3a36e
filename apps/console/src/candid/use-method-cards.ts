import { useEffect, useState } from 'react';
import { hashMethod, methodHash } from './page-address.ts';

/** A method that was asked for by its link or from the history. */
interface Asked {
  /** Grows each time the method is asked for. */
  readonly round: number;
  /** The arguments to begin with, as Candid text. */
  readonly args: string | undefined;
}

/** Which methods are shown and which of them have been asked for. */
export interface MethodCards {
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly asked: ReadonlyMap<string, Asked>;
  /** Opens a method, brings it into view, and fills in arguments when they are given. */
  readonly open: (name: string, args?: string) => void;
}

/** Follows the method the address names, and opens others on demand. */
export function useMethodCards(): MethodCards {
  const [filter, setFilter] = useState('');
  const [asked, setAsked] = useState<ReadonlyMap<string, Asked>>(() => {
    const linked = hashMethod(location.hash);
    return new Map(linked === undefined ? [] : [[linked, { round: 1, args: undefined }]]);
  });

  const ask = (name: string, args?: string): void => {
    setFilter('');
    setAsked((before) => {
      const asked = new Map(before);
      // What was asked for last comes last.
      asked.delete(name);
      return asked.set(name, { round: (before.get(name)?.round ?? 0) + 1, args });
    });
  };

  useEffect(() => {
    const follow = (): void => {
      const linked = hashMethod(location.hash);
      if (linked !== undefined) ask(linked);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  const open = (name: string, args?: string): void => {
    // Replaced without an event, which would ask a second time and without the arguments.
    history.replaceState(history.state, '', methodHash(name));
    ask(name, args);
  };
  return { filter, setFilter, asked, open };
}

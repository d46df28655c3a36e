import { useLocation, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The name of the thing whose opening has made this entry, so that one step back closes it. */
    opened?: string;
  }
}

/**
 * Something that is open over a page, by its id in the address: 'Back' closes it, and a reload or a shared link opens it.
 * @param name of the parameter
 * @returns the id, and what opens another one or, with undefined, closes it
 */
export function useAddressEntry(name: string): [string | undefined, (id: string | undefined) => void] {
  const router = useRouter();
  const id = useLocation({
    select: ({ search }) => {
      const value = (search as Readonly<Record<string, unknown>>)[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
  });
  const change = useCallback(
    (next: string | undefined): void => {
      // Opened from here: the page without it is the entry before.
      if (next === undefined && router.state.location.state.opened === name) {
        router.history.back();
        return;
      }
      void router.navigate({
        to: '.',
        search: (previous: object) => ({ ...previous, [name]: next }),
        hash: true,
        hashScrollIntoView: false,
        resetScroll: false,
        replace: next === undefined,
        state: next === undefined ? {} : { opened: name },
      });
    },
    [router, name],
  );
  return [id, change];
}

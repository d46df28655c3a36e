import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { startTransition, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Values of query parameters by name; undefined for one that the address does not carry. */
export type AddressFields = Readonly<Record<string, string | undefined>>;

/** The fields as one text, in the order of their names, so that two sets can be compared. */
function textOf(fields: AddressFields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * State of a page that its address carries, so that 'Back', a reload and a shared link bring it back. A change shows at
 * once; the address follows after `delayMs` without another change (browsers refuse many changes in a row), in the place
 * of the entry that is open, since leaving a page takes one step back and not one for each sorting.
 * @param prefix what the parameters' names begin with; undefined keeps the state out of the address
 * @param names of the fields, without the prefix; the same in every call
 */
export function useAddressFields(
  prefix: string | undefined,
  names: readonly string[],
  delayMs = 0,
): [AddressFields, (change: AddressFields) => void] {
  // A page without a router, such as one of a test, has no address to keep.
  const router: AnyRouter | null = useRouter({ warn: false });
  const subscribe = useCallback(
    (onChange: () => void) => router?.subscribe('onResolved', onChange) ?? (() => undefined),
    [router],
  );
  const inAddress = useSyncExternalStore(
    subscribe,
    () => addressText(router, prefix, names),
    () => '[]',
  );
  const [fields, setFields] = useState<AddressFields>(() => read(inAddress));
  /** What the address says, and what was written and is still to be seen in it. */
  const written = useRef([inAddress]);

  useEffect(() => {
    const place = written.current.indexOf(inAddress);
    // Not written here: another address of the same page, such as the one a link of the sidebar names.
    if (place === -1) setFields(read(inAddress));
    written.current = place === -1 ? [inAddress] : written.current.slice(place);
  }, [inAddress]);

  useEffect(() => {
    const text = textOf(fields);
    if (prefix === undefined || router === null || text === written.current.at(-1)) return undefined;
    const write = (): void => {
      written.current.push(text);
      const change = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [prefix + name, value]),
      );
      void router.navigate({
        to: '.',
        search: (previous: object) => ({ ...previous, ...change }),
        hash: true,
        hashScrollIntoView: false,
        replace: true,
        resetScroll: false,
      });
    };
    const timer = setTimeout(write, delayMs);
    return () => clearTimeout(timer);
  }, [fields, prefix, delayMs, router]);

  const change = useCallback(
    (next: AddressFields) => startTransition(() => setFields((before) => ({ ...before, ...next }))),
    [],
  );
  return [fields, change];
}

function addressText(router: AnyRouter | null, prefix: string | undefined, names: readonly string[]): string {
  if (router === null || prefix === undefined) return textOf({});
  const search: Readonly<Record<string, unknown>> = router.state.location.search;
  return textOf(Object.fromEntries(names.map((name) => [name, asText(search[prefix + name])])));
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function read(text: string): AddressFields {
  return Object.fromEntries(JSON.parse(text) as [string, string][]);
}

import type { ParsedService } from '@cannery/candid';
import { useEffect, useMemo, useRef, useState } from 'react';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';
import type { MethodCards } from '../../use-method-cards.ts';
import { type MethodActs, MethodCard } from './method-card.tsx';
import { PageButtons } from './page-buttons.tsx';

/** With more methods than this the cards start closed and a filter appears. */
const FEW = 6;
/** This many cards stand on the page at a time. */
const PAGE = 50;

/** Which page is shown, and of what: of the search, and of what was asked for. */
interface Page {
  readonly page: number;
  readonly of: string | undefined;
}

interface MethodListProps {
  readonly service: ParsedService;
  readonly cards: MethodCards;
  readonly acts: MethodActs;
}

/** The methods of a canister, each as a card. */
export function MethodList({ service, cards, acts }: MethodListProps) {
  const { methods, typeNames } = service;
  const { filter, setFilter } = cards;
  const isLong = methods.length > FEW;
  const wanted = filter.trim().toLowerCase();
  const matching = useMemo(
    () => methods.filter(({ name }) => name.toLowerCase().includes(wanted)),
    [methods, wanted],
  );
  const search = useFilterKeys();
  const [first] = matching;
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [{ page, of }, setPage] = useState<Page>({ page: 0, of: undefined });
  const asks = `${wanted} ${[...cards.asked.values()].reduce((sum, { round }) => sum + round, 0)}`;
  if (of !== asks) {
    const asked = [...cards.asked.keys()].at(-1);
    const place = wanted === '' ? matching.findIndex(({ name }) => name === asked) : 0;
    setPage({ page: Math.max(0, Math.floor(place / PAGE)), of: asks });
  }
  const shown = new Set(matching.slice(page * PAGE, (page + 1) * PAGE));
  // Cards that were opened stay in the page out of sight, so that what was entered in them stays too.
  const mounted = methods.filter(
    (method) => shown.has(method) || kept.has(method.name) || cards.asked.has(method.name),
  );
  return (
    <section aria-label="Methods" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">
          Methods{' '}
          <span className="font-normal text-muted">
            {matching.length < methods.length ? `${matching.length} of ${methods.length}` : methods.length}
          </span>
        </h2>
        {isLong && (
          <form
            role="search"
            ref={search}
            title="Press / to filter, Enter to open the first"
            onSubmit={(event) => {
              event.preventDefault();
              if (first && wanted !== '') cards.open(first.name);
            }}
            className="w-full sm:w-64"
          >
            <SearchField label="Filter methods" value={filter} onChange={setFilter} />
          </form>
        )}
      </div>
      {matching.length > PAGE && (
        <PageButtons
          label="Methods"
          from={page * PAGE}
          to={Math.min(matching.length, (page + 1) * PAGE)}
          of={matching.length}
          onMove={(step) => setPage({ page: page + step, of })}
        />
      )}
      {mounted.map((method) => {
        const asked = cards.asked.get(method.name);
        return (
          <div key={method.name} hidden={!shown.has(method)}>
            <MethodCard
              // Remount when the method is opened again.
              key={asked?.round ?? 0}
              method={method}
              typeNames={typeNames}
              startsOpen={!isLong || asked !== undefined}
              isWanted={asked !== undefined}
              startsWith={asked?.args}
              onOpen={() => setKept((before) => new Set(before).add(method.name))}
              acts={acts}
            />
          </div>
        );
      })}
      {methods.length === 0 && (
        <EmptyState
          drawing="canisters"
          title="This canister has no public methods"
          hint="Its interface is an empty service."
        />
      )}
      {methods.length > 0 && matching.length === 0 && (
        <p
          role="status"
          className="rounded-card border border-line bg-surface px-4 py-6 text-center text-muted"
        >
          No method has “{filter.trim()}” in its name.
        </p>
      )}
    </section>
  );
}

/** `/` and Ctrl+K bring the filter into focus, wherever nothing is being typed. */
function useFilterKeys() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
      const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey;
      const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const input = form.current?.querySelector('input');
      if (!input || !(isSlash || isCommand)) return;
      event.preventDefault();
      input.focus();
      input.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return form;
}

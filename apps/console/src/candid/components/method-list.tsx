import type { ParsedService, ServiceMethod } from '@cannery/candid';
import { useEffect, useRef } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { SearchField } from '../../components/ui/search-field.tsx';
import type { MethodCards } from '../use-method-cards.ts';
import { type MethodActs, MethodCard } from './method-card.tsx';

/** With more methods than this the cards start closed and a filter appears. */
const FEW = 6;

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
  const matches = ({ name }: ServiceMethod): boolean => name.toLowerCase().includes(wanted);
  const shown = methods.filter(matches);
  const search = useFilterKeys();
  const [first] = shown;
  return (
    <section aria-label="Methods" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">
          Methods{' '}
          <span className="font-normal text-muted">
            {shown.length < methods.length ? `${shown.length} of ${methods.length}` : methods.length}
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
      {methods.map((method) => {
        const asked = cards.asked.get(method.name);
        return (
          // Cards filtered out stay in the page, so that what was entered in them stays too.
          <div key={method.name} hidden={!matches(method)}>
            <MethodCard
              // Asked for anew, a card begins anew.
              key={asked?.round ?? 0}
              method={method}
              typeNames={typeNames}
              startsOpen={!isLong || asked !== undefined}
              isWanted={asked !== undefined}
              startsWith={asked?.args}
              acts={acts}
            />
          </div>
        );
      })}
      {methods.length === 0 && (
        <EmptyState title="This canister has no public methods" hint="Its interface is an empty service." />
      )}
      {methods.length > 0 && shown.length === 0 && (
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

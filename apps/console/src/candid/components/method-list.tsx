import type { ParsedService, ServiceMethod } from '@cannery/candid';
import { useState } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { SearchField } from '../../components/ui/search-field.tsx';
import type { CallRecord } from '../call-record.ts';
import type { GivenArgs } from '../form/read-args.ts';
import { MethodCard } from './method-card.tsx';

/** With more methods than this the cards start closed and a filter appears. */
const FEW = 6;

interface MethodListProps {
  readonly service: ParsedService;
  readonly onCall: (method: ServiceMethod, args: GivenArgs) => Promise<CallRecord>;
}

/** The methods of a canister, each as a card. */
export function MethodList({ service, onCall }: MethodListProps) {
  const [filter, setFilter] = useState('');
  const { methods, typeNames } = service;
  const isLong = methods.length > FEW;
  const wanted = filter.trim().toLowerCase();
  const matches = (method: ServiceMethod): boolean => method.name.toLowerCase().includes(wanted);
  const shown = methods.filter(matches).length;
  return (
    <section aria-label="Methods" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">
          Methods <span className="font-normal text-muted">{methods.length}</span>
        </h2>
        {isLong && (
          <SearchField
            label="Filter methods"
            value={filter}
            onChange={setFilter}
            className="w-full sm:w-64"
          />
        )}
      </div>
      {methods.map((method) => (
        // Cards filtered out stay in the page, so that what was entered in them stays too.
        <div key={method.name} hidden={!matches(method)}>
          <MethodCard method={method} typeNames={typeNames} startsOpen={!isLong} onCall={onCall} />
        </div>
      ))}
      {methods.length === 0 && (
        <EmptyState title="This canister has no public methods" hint="Its interface is an empty service." />
      )}
      {methods.length > 0 && shown === 0 && (
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

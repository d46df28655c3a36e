import type { Canister } from '@cannery/contract';
import type { ReactNode } from 'react';
import { IdText } from '../../../components/ui/id-text.tsx';
import { Moment } from '../../../components/ui/moment.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { Tooltip } from '../../../components/ui/tooltip.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { NOT_AVAILABLE, updateDate } from '../../../lib/text/formats.ts';
import { CanisterStatus } from '../status/canister-status.tsx';
import { moduleHashes } from '../api/canister-state.ts';
import { cyclesExact, cyclesInT, readCycles, type CyclesValue } from '../../../lib/text/cycles.ts';

interface FactProps {
  readonly label: string;
  readonly className?: string;
  /** Further values, each a `dd`. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

function Fact({ label, className, beside, children }: FactProps) {
  return (
    <div className={classNames('flex min-h-7 min-w-0 items-center gap-2', className)}>
      <dt className="mr-auto shrink-0 text-sm text-muted @min-[560px]:mr-0">{label}</dt>
      <dd className="min-w-0">{children}</dd>
      {beside}
    </div>
  );
}

/** Cycles as a large '12.34 T', how long they last beside it, and every digit in the tooltip. */
function Cycles({ value, lasts }: { value: CyclesValue; lasts: ReactNode }) {
  const amount = <span className="text-lg font-semibold whitespace-nowrap">{cyclesInT(value)}</span>;
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
      {readCycles(value) === undefined ? (
        amount
      ) : (
        <Tooltip text={`${cyclesExact(value)} cycles`}>
          <button type="button" className="cursor-default rounded-control">
            {amount}
          </button>
        </Tooltip>
      )}
      {lasts}
    </span>
  );
}

function ModuleHash({ hash }: { hash: Canister['module_hash'] }) {
  const hashes = moduleHashes(hash);
  if (hashes.length === 0) return NOT_AVAILABLE;
  return (
    <span className="flex flex-col">
      {hashes.map((each) => (
        <IdText key={each} id={each} of="module hash" short="to-fit" />
      ))}
    </span>
  );
}

interface CanisterFactsProps {
  /** Undefined while it is loaded. */
  readonly canister: Canister | undefined;
  /** What stands beside the status. */
  readonly badges?: ReactNode;
  /** How long the cycles last. */
  readonly lasts?: ReactNode;
}

/**
 * Cycles, status, module hash and last update of a canister: lines of label and value in a narrow place, one strip in a
 * wide one. The columns have their usual width from the start, so that nothing moves when the values come.
 */
export function CanisterFacts({ canister, badges, lasts }: CanisterFactsProps) {
  return (
    <div className="@container">
      <dl className="grid gap-x-6 gap-y-0.5 @min-[560px]:grid-cols-[minmax(0,1fr)_auto] @min-[860px]:grid-cols-[minmax(16rem,auto)_minmax(9rem,auto)_minmax(0,1fr)_auto]">
        <Fact label="Cycles">
          {canister ? (
            <Cycles value={canister.cycles_exact ?? canister.cycles} lasts={lasts} />
          ) : (
            <Skeleton className="w-48" />
          )}
        </Fact>
        <Fact label="Status" beside={badges}>
          {canister ? (
            <CanisterStatus status={canister.status} otherwise="bad" asOf={canister.as_of} />
          ) : (
            <Skeleton className="w-18" />
          )}
        </Fact>
        {/* As tall as its copy button, also without one. */}
        <Fact label="Module Hash" className="max-sm:min-h-10">
          {canister ? <ModuleHash hash={canister.module_hash} /> : <Skeleton className="w-40" />}
        </Fact>
        <Fact label="Last updated at">
          {canister ? (
            <Moment at={canister.updated_at}>{updateDate(canister.updated_at)}</Moment>
          ) : (
            <Skeleton className="w-32" />
          )}
        </Fact>
      </dl>
    </div>
  );
}

import type { Canister } from '@cannery/contract';
import type { ReactNode } from 'react';
import { Cycles } from '../../components/ui/cycles.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { NOT_AVAILABLE, updateDate } from '../../lib/formats.ts';
import { CanisterStatus } from './canister-status.tsx';
import { moduleHashes } from './canister-state.ts';

interface FactProps {
  readonly label: string;
  /** Takes a separate line where room is short. */
  readonly long?: boolean;
  readonly children: ReactNode;
}

function Fact({ label, long = false, children }: FactProps) {
  return (
    <div className={long ? 'min-w-0 max-lg:col-span-2' : 'min-w-0'}>
      <dt className="mb-1.5 text-sm text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Cycles, status, module hash and last update of a canister. */
export function CanisterFacts({ canister, compact = false }: { canister: Canister; compact?: boolean }) {
  const hashes = moduleHashes(canister.module_hash);
  return (
    <dl
      className={
        compact
          ? 'flex flex-col gap-5'
          : 'grid grid-cols-[auto_1fr] gap-x-10 gap-y-5 lg:grid-cols-[auto_auto_1fr_auto]'
      }
    >
      <Fact label="Cycles">
        <Cycles value={canister.cycles_exact ?? canister.cycles} />
      </Fact>
      <Fact label="Status">
        <CanisterStatus status={canister.status} otherwise="bad" asOf={canister.as_of} />
      </Fact>
      <Fact label="Module Hash" long>
        {hashes.length === 0
          ? NOT_AVAILABLE
          : hashes.map((hash) => <IdText key={hash} id={hash} of="module hash" />)}
      </Fact>
      <Fact label="Last updated at">
        <Moment at={canister.updated_at}>{updateDate(canister.updated_at)}</Moment>
      </Fact>
    </dl>
  );
}

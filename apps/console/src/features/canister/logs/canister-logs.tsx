import { useState } from 'react';
import { AsOf } from '../../../components/connection/as-of.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { useSettled } from '../../../lib/browser/use-settled.ts';
import { LogRecord } from './log-record.tsx';
import { LOG_REFRESH_MS, type LogPage, logText, useCanisterLogs } from './log-pages.ts';

/** Milliseconds without a key stroke after which a search is made. */
const SEARCH_PAUSE_MS = 250;

function Empty({ search, onClear }: { search: string; onClear: () => void }) {
  return search === '' ? (
    <EmptyState
      drawing="records"
      title="The canister has printed nothing"
      hint="What its code prints (Debug.print in Motoko, ic_cdk::println in Rust) and the traps of its messages appear here by themselves."
    />
  ) : (
    <EmptyState
      drawing="search"
      title="No record matches"
      hint="The search looks at all the console has kept of this log."
      action={<Button onClick={onClear}>Clear search</Button>}
    />
  );
}

interface RecordsProps {
  readonly page: LogPage;
  readonly search: string;
  readonly loadingOlder: boolean;
  readonly onOlder: (before: string) => void;
}

function Records({ page, search, loadingOlder, onOlder }: RecordsProps) {
  const { records, next } = page;
  return (
    <div
      role="log"
      aria-label="Canister logs"
      aria-live="off"
      // Focusable, so that the keyboard can scroll it.
      tabIndex={0}
      className="h-[50vh] overflow-y-auto rounded-b-card bg-log py-3 font-mono text-[12.5px] leading-5 text-log-ink outline-offset-[-2px]"
    >
      <ol>
        {records.map((record) => (
          <LogRecord key={record.index} record={record} search={search} />
        ))}
      </ol>
      {next !== null && (
        <div className="px-4 pt-3 font-sans">
          <Button size="small" busy={loadingOlder} onClick={() => onOlder(next)}>
            Load older
          </Button>
        </div>
      )}
    </div>
  );
}

/** What a canister printed, newest first, with a search over all of it. */
export function CanisterLogs({ canisterId }: { canisterId: string }) {
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), SEARCH_PAUSE_MS);
  const { newest, older } = useCanisterLogs(canisterId, search);
  const { data, error, isPending, refetch } = newest;

  const loadOlder = (before: string): void =>
    older.mutate(before, {
      onError: (failure) =>
        toast.tell('canister: older logs not loaded', {
          text: serverText(failure),
          hint: nextStepOf(failure),
        }),
    });

  return (
    <Card className="animate-entrance">
      <CardHeader
        title="Canister logs"
        age={<AsOf of={[queryKeys.canisterLogs(canisterId, search)]} everyMs={LOG_REFRESH_MS} />}
        note={`Newest first, refreshed every ${LOG_REFRESH_MS / 1000} s`}
        actions={
          <>
            <SearchField
              label="Search canister logs"
              value={typed}
              onChange={setTyped}
              className="w-56 max-sm:flex-1"
            />
            {data && data.records.length > 0 && (
              <CopyButton text={logText(data.records)} label="Copy canister logs" />
            )}
          </>
        }
      />
      {isPending ? (
        <div role="status" aria-label="Loading canister logs" className="h-[50vh] border-t border-line p-5">
          {[0, 1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="mb-3 w-full" />
          ))}
        </div>
      ) : data === undefined ? (
        <ErrorState
          title="The canister's logs cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : data.records.length === 0 ? (
        <Empty search={search} onClear={() => setTyped('')} />
      ) : (
        <Records page={data} search={search} loadingOlder={older.isPending} onOlder={loadOlder} />
      )}
    </Card>
  );
}

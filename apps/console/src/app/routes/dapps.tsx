import type { Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { AsOf } from '../../components/connection/as-of.tsx';
import { Button, buttonClass, type ButtonSize } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Paged } from '../../components/ui/paged.tsx';
import { paths } from '../../config/paths.ts';
import { liveDeploysQuery } from '../../features/deploy/api/queries.ts';
import {
  type DappsFilter,
  filterDapps,
  filterFields,
  readFilter,
} from '../../features/deploy/page/dapps-filter.ts';
import { DappsList, DappsToolbar, LoadingDapps } from '../../features/deploy/page/dapps-list.tsx';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { useAddressFields } from '../../lib/table/address-fields.ts';
import { pageSizes } from '../../lib/table/paging.ts';
import { toast } from '../../lib/toasts/toast-store.ts';

/** A search is in the address once typing pauses; milliseconds. */
const SEARCH_SETTLES_MS = 300;
/** Rows at first. */
const ROWS = 10;

function CreateDapp({ size }: { size: ButtonSize }) {
  return (
    <Link
      to={paths.deployChoice}
      search={{ type: 'STATIC_SITE' }}
      className={buttonClass({
        variant: 'primary',
        size,
        className: size === 'small' ? 'max-sm:w-full' : '',
      })}
    >
      <Plus className="size-4" aria-hidden="true" />
      Create DApp
    </Link>
  );
}

interface FoundProps {
  readonly deploys: readonly Deploy[];
  readonly filter: DappsFilter;
  readonly onClear: () => void;
}

function Found({ deploys, filter, onClear }: FoundProps): ReactNode {
  const config = usePublicConfig();
  const found = useMemo(() => filterDapps(deploys, filter), [deploys, filter]);
  if (deploys.length === 0) {
    return (
      <EmptyState
        drawing="deploys"
        title="You haven't deployed anything yet."
        hint="A deploy builds a git repository and puts the result into a canister."
        action={<CreateDapp size="medium" />}
      />
    );
  }
  if (found.length === 0) {
    return (
      <EmptyState
        drawing="search"
        title="No DApp matches"
        hint="The search looks at names, repositories, branches, commits and canister ids."
        action={<Button onClick={onClear}>Show all DApps</Button>}
      />
    );
  }
  return (
    <Paged rows={found} sizes={pageSizes} startSize={ROWS} address="dapps">
      {({ rows }) => <DappsList deploys={rows} config={config} />}
    </Paged>
  );
}

/** All deploys of the user with what each serves and how its last run went, fetched again every five seconds. */
export function DappsPage() {
  usePageTitle('DApps');
  const { data, error, isPending, isLoadingError, refetch } = useQuery(liveDeploysQuery);
  const [fields, setFields] = useAddressFields('', filterFields, SEARCH_SETTLES_MS);
  const filter = useMemo(() => readFilter(fields), [fields]);

  useEffect(() => {
    if (isLoadingError) toast.tell('deploy: not loaded');
  }, [isLoadingError]);

  const change = (next: Partial<DappsFilter>): void => {
    const { search, state, type } = { ...filter, ...next };
    setFields({ q: search === '' ? undefined : search, state, type });
  };
  return (
    <div className="flex flex-col gap-5">
      <header className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold">DApps</h1>
        {data && <span className="text-sm text-muted">{data.length}</span>}
        <AsOf of={[queryKeys.deploys]} />
        {(isPending || (data !== undefined && data.length > 0)) && (
          <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:w-full">
            <DappsToolbar filter={filter} onChange={change} />
            <CreateDapp size="small" />
          </div>
        )}
      </header>
      <Card className="animate-entrance">
        {isPending ? (
          <LoadingDapps />
        ) : data === undefined ? (
          <ErrorState
            title="Cannot load DApps. Please try again later."
            error={error}
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          />
        ) : (
          <Found
            deploys={data}
            filter={filter}
            onClear={() => change({ search: '', state: undefined, type: undefined })}
          />
        )}
      </Card>
    </div>
  );
}

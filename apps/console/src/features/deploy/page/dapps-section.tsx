import type { Deploy } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Button, buttonClass, type ButtonSize } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { paths } from '../../../config/paths.ts';
import { DappsTable } from './dapps-table.tsx';
import { deployRow } from '../api/instances.ts';

function CreateDappLink({ size }: { size: ButtonSize }) {
  return (
    <Link
      to={paths.deployChoice}
      search={{ type: 'STATIC_SITE' }}
      className={buttonClass({ variant: 'primary', size })}
    >
      <Plus className="size-4" aria-hidden="true" />
      Create DApp
    </Link>
  );
}

interface DappsSectionProps {
  /** Undefined when the list could not be loaded. */
  readonly deploys: readonly Deploy[] | undefined;
  readonly error: unknown;
  /** Of when the list is, where it cannot be refreshed. */
  readonly age: ReactNode;
  readonly onRetry: () => void;
}

/** The list of deploys with its toolbar. */
export function DappsSection({ deploys, error, age, onRetry }: DappsSectionProps) {
  const rows = useMemo(() => deploys?.map(deployRow), [deploys]);
  return (
    <Card className="animate-entrance">
      <CardHeader
        title="DApps"
        note={rows?.length}
        age={age}
        actions={
          rows &&
          rows.length > 0 && (
            <>
              <Link to={paths.dapps} className="px-2 py-1 text-sm text-accent hover:underline max-sm:py-3">
                All DApps
              </Link>
              <CreateDappLink size="small" />
            </>
          )
        }
      />
      {rows === undefined ? (
        <ErrorState
          title="Cannot load DApps. Please try again later."
          error={error}
          action={<Button onClick={onRetry}>Try again</Button>}
        />
      ) : (
        <DappsTable
          rows={rows}
          empty={
            <EmptyState
              drawing="deploys"
              title="You haven't deployed anything yet."
              hint="A deploy builds a git repository and puts the result into a canister."
              action={<CreateDappLink size="medium" />}
            />
          }
        />
      )}
    </Card>
  );
}

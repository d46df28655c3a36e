import type { Canister } from '@cannery/contract';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { DataTable } from '../../../components/ui/data-table.tsx';
import type { Column } from '../../../components/ui/table-view.tsx';
import { TableMoment } from '../../../components/ui/table-moment.tsx';
import { WrapOnce } from '../../../components/ui/wrap-once.tsx';
import { paths } from '../../../config/paths.ts';
import { cyclesCell, readCycles } from '../../../lib/text/cycles.ts';
import { NOT_AVAILABLE, shown, tableDate } from '../../../lib/text/formats.ts';
import { dateValue } from '../../../lib/table/sort.ts';
import { OpenLine } from '../site/open-site.tsx';
import { RowCheck } from '../bulk/row-check.tsx';
import { TagChips } from '../label/tag-chips.tsx';
import { CanisterStatus, ChangedOutside } from '../status/canister-status.tsx';
import { RowMenu } from './row-menu.tsx';

const columns: readonly Column<Canister>[] = [
  {
    id: 'id',
    heading: 'Canister ID',
    stacked: 'line',
    cell: (canister) =>
      canister.id === '' ? (
        NOT_AVAILABLE
      ) : (
        <span className="inline-flex max-w-full items-center gap-1 align-bottom">
          <RowCheck canister={canister} />
          <Link
            to={paths.canister}
            params={{ id: canister.id }}
            title={canister.id}
            className="truncate font-mono text-sm whitespace-nowrap hover:text-accent hover:underline"
          >
            {canister.id}
          </Link>
          <CopyButton text={canister.id} label="Copy canister id" />
        </span>
      ),
    sortBy: ({ id }) => id,
  },
  {
    id: 'name',
    heading: 'Canister Name',
    stacked: 'title',
    cell: (canister) => (
      // As wide as the other columns leave: none of them may wrap for a long name.
      <div className="flex flex-wrap items-center gap-x-3 py-1 @min-[1000px]:max-w-[clamp(7rem,100cqw-49rem,24rem)]">
        <Link
          to={paths.canister}
          params={{ id: canister.id }}
          title={canister.name ?? undefined}
          className="line-clamp-2 font-medium wrap-anywhere hover:text-accent hover:underline"
        >
          {shown(canister.name)}
        </Link>
        <OpenLine canister={canister} picture={canister.picture} />
        <TagChips tags={canister.tags} most={2} />
        {canister.origin?.changed_outside && <ChangedOutside />}
      </div>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'cycles',
    heading: 'Cycles',
    stacked: 'next',
    align: 'end',
    cell: ({ cycles, cycles_exact }) => <WrapOnce text={cyclesCell(cycles_exact ?? cycles)} before="~" />,
    sortBy: ({ cycles, cycles_exact }) => readCycles(cycles_exact ?? cycles),
  },
  {
    id: 'status',
    heading: 'Status',
    stacked: 'state',
    cell: ({ status, as_of }) => <CanisterStatus status={status} otherwise="warn" asOf={as_of} />,
    sortBy: ({ status }) => status,
  },
  {
    id: 'created',
    heading: 'Created At',
    stacked: 'end',
    cell: (canister) => (
      <span className="flex items-center justify-between gap-2">
        <TableMoment at={canister.created_at}>{tableDate(canister.created_at)}</TableMoment>
        {canister.id !== '' && (
          // In a row that is stacked in the line beneath, beside the id, which is alone there.
          <span className="inline-flex @max-[620px]:absolute @max-[620px]:right-0 @max-[620px]:z-1 @max-[620px]:-bottom-7">
            <RowMenu canister={canister} />
          </span>
        )}
      </span>
    ),
    sortBy: ({ created_at }) => dateValue(created_at),
  },
];

/** The user's canisters as a table; a row opens the canister's page. */
export function CanistersTable({ canisters, empty }: { canisters: readonly Canister[]; empty: ReactNode }) {
  const navigate = useNavigate();
  const open = useCallback(
    ({ id }: Canister): void => {
      if (id !== '') void navigate({ to: paths.canister, params: { id } });
    },
    [navigate],
  );
  const router = useRouter();
  const href = useCallback(
    ({ id }: Canister) =>
      id === '' ? undefined : router.buildLocation({ to: paths.canister, params: { id } }).href,
    [router],
  );
  return (
    <DataTable
      label="Canisters"
      address="canisters"
      columns={columns}
      width={1000}
      rows={canisters}
      rowKey={({ id }) => id}
      onRowClick={open}
      rowHref={href}
      empty={empty}
    />
  );
}

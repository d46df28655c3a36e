import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Chip } from '../../../components/ui/chip.tsx';
import { DataTable } from '../../../components/ui/data-table.tsx';
import { TableMoment } from '../../../components/ui/table-moment.tsx';
import type { Column } from '../../../components/ui/table-view.tsx';
import { paths } from '../../../config/paths.ts';
import { dateValue } from '../../../lib/table/sort.ts';
import { deployTypeTag } from '../../../lib/text/deploy-type-text.ts';
import { seconds, shown, tableDate } from '../../../lib/text/formats.ts';
import type { DeployRow } from '../api/instances.ts';

/** A deploy's state in lists: words for what is known, a spinner for everything else. */
function DappStatus({ status }: { status: string | null | undefined }) {
  if (status === 'COMPLETED') return <Chip tone="ok">deploy succeeded</Chip>;
  if (status === 'FAILED') return <Chip tone="bad">failed</Chip>;
  if (status === 'RUNNING') {
    return (
      <Chip tone="info" busy>
        creating DApp
      </Chip>
    );
  }
  return <Chip tone="neutral" busy />;
}

const columns: readonly Column<DeployRow>[] = [
  {
    id: 'id',
    heading: 'ID',
    stacked: 'next',
    cell: ({ id }) => (
      <span title={id} className="font-mono text-sm">
        {id.length > 12 ? `${id.slice(0, 8)}…` : shown(id)}
      </span>
    ),
    sortBy: ({ id }) => id,
  },
  {
    id: 'name',
    heading: 'Name',
    stacked: 'title',
    cell: ({ id, name }) => (
      <Link
        to={paths.deploy}
        params={{ id }}
        title={name ?? undefined}
        className="line-clamp-2 font-medium wrap-anywhere hover:text-accent hover:underline"
      >
        {shown(name)}
      </Link>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'status',
    heading: 'Status',
    stacked: 'state',
    cell: ({ status }) => <DappStatus status={status} />,
    sortBy: ({ status }) => status,
  },
  {
    id: 'type',
    heading: 'Type',
    stacked: 'next',
    cell: ({ type }) => <span className="whitespace-nowrap">{deployTypeTag(type)}</span>,
    sortBy: ({ type }) => type,
  },
  {
    id: 'repo',
    heading: 'Repo Name',
    stacked: 'next',
    stackedLabel: 'Repo',
    cell: ({ repo_name }) => <span className="wrap-anywhere">{shown(repo_name)}</span>,
    sortBy: ({ repo_name }) => repo_name,
  },
  {
    id: 'branch',
    heading: 'Branch',
    stacked: 'next',
    stackedLabel: 'Branch',
    cell: ({ branch }) => <span className="font-mono text-sm wrap-anywhere">{shown(branch)}</span>,
    sortBy: ({ branch }) => branch,
  },
  {
    id: 'duration',
    heading: 'Duration',
    stacked: 'next',
    stackedLabel: 'Duration',
    align: 'end',
    cell: ({ duration }) => seconds(duration),
    sortBy: ({ duration }) => duration,
  },
  {
    id: 'created',
    heading: 'Created At',
    stacked: 'end',
    cell: ({ created_at }) => <TableMoment at={created_at}>{tableDate(created_at)}</TableMoment>,
    sortBy: ({ created_at }) => dateValue(created_at),
  },
];

/** The user's deploys as a table; a row opens the deploy's page. */
export function DappsTable({ rows, empty }: { rows: readonly DeployRow[]; empty: ReactNode }) {
  const navigate = useNavigate();
  const router = useRouter();
  return (
    <DataTable
      label="DApps"
      address="dapps"
      columns={columns}
      width={1000}
      rows={rows}
      rowKey={({ id }) => id}
      onRowClick={({ id }) => {
        if (id !== '') void navigate({ to: paths.deploy, params: { id } });
      }}
      rowHref={({ id }) =>
        id === '' ? undefined : router.buildLocation({ to: paths.deploy, params: { id } }).href
      }
      empty={empty}
    />
  );
}

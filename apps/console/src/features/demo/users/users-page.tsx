import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useReducer } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { DataTable } from '../../../components/ui/data-table.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';
import type { Column } from '../../../components/ui/table-view.tsx';
import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { demoPaths, pathOf } from '../demo-paths.ts';
import { deleteUser, fetchUsers, messageOf, type UserRecord } from './sample-users.ts';
import { initialUsersList, usersListReducer } from './users-list-state.ts';

function columnsOf(onDelete: (id: string) => void): readonly Column<UserRecord>[] {
  return [
    {
      id: 'name',
      heading: 'Name',
      stacked: 'title',
      cell: ({ name }) => <span className="font-medium">{name}</span>,
      sortBy: ({ name }) => name,
    },
    {
      id: 'email',
      heading: 'Email',
      stacked: 'next',
      cell: ({ email }) => email,
      sortBy: ({ email }) => email,
    },
    { id: 'role', heading: 'Role', stacked: 'state', cell: ({ role }) => role, sortBy: ({ role }) => role },
    {
      id: 'actions',
      heading: 'Actions',
      stacked: 'line',
      align: 'end',
      cell: ({ id, name }) => (
        <span className="inline-flex gap-1 py-1">
          <Link
            to={pathOf('editUser', id)}
            aria-label={`Edit ${name}`}
            className={buttonClass({ variant: 'ghost', size: 'small' })}
          >
            Edit
          </Link>
          <Button variant="ghost" size="small" aria-label={`Delete ${name}`} onClick={() => onDelete(id)}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
}

/** The sample users: static people, which no call reads or changes. */
export function UsersPage() {
  usePageTitle('Users');
  const [{ rows, count, loading, filter, modal, errorMessage }, dispatch] = useReducer(
    usersListReducer,
    initialUsersList,
  );

  const load = useCallback(async (text: string): Promise<void> => {
    dispatch({ type: 'USERS_LIST_FETCH_STARTED' });
    try {
      const found = await fetchUsers(text);
      dispatch({ type: 'USERS_LIST_FETCH_SUCCESS', rows: found, count: found.length });
    } catch (failure) {
      dispatch({ type: 'USERS_LIST_FETCH_ERROR', message: messageOf(failure) });
    }
  }, []);
  useEffect(() => void load(filter), [load, filter]);

  const confirm = async (): Promise<void> => {
    if (modal.idToDelete === null) return;
    dispatch({ type: 'USERS_LIST_DELETE_STARTED' });
    try {
      await deleteUser(modal.idToDelete);
      dispatch({ type: 'USERS_LIST_DELETE_SUCCESS' });
      await load(filter);
    } catch (failure) {
      dispatch({ type: 'USERS_LIST_DELETE_ERROR', message: messageOf(failure) });
    }
  };
  const columns = useMemo(() => columnsOf((id) => dispatch({ type: 'USERS_LIST_OPEN_CONFIRM', id })), []);
  const asked = rows.find(({ id }) => id === modal.idToDelete);

  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">Users</h1>
      {errorMessage !== '' && (
        <div role="alert" className="mb-4">
          <Notice tone="bad" title={errorMessage} />
        </div>
      )}
      <Card className="animate-entrance">
        <CardHeader
          title="All users"
          note={count}
          actions={
            <>
              <SearchField
                label="Filter by name or email"
                value={filter}
                onChange={(text) => dispatch({ type: 'USERS_LIST_FILTER', filter: text })}
                className="w-56 max-sm:w-full"
              />
              <Link to={demoPaths.createUser} className={buttonClass({ variant: 'primary', size: 'small' })}>
                New user
              </Link>
            </>
          }
        />
        <DataTable
          label="Users"
          address="users"
          columns={columns}
          width={640}
          rows={loading && rows.length === 0 ? undefined : rows}
          rowKey={({ id }) => id}
          empty={<EmptyState drawing="search" title="No user matches." hint="Name and email are searched." />}
        />
      </Card>
      <ActionDialog
        open={modal.open}
        onClose={() => dispatch({ type: 'USERS_LIST_CLOSE_CONFIRM' })}
        title="Are you sure you want to delete this user?"
        description={asked && `${asked.name} is a sample and comes back with the next reload.`}
        action="Delete"
        danger
        busy={loading}
        onAction={() => void confirm()}
      />
    </>
  );
}

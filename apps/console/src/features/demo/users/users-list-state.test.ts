import { expect, test } from 'vitest';
import type { UserRecord } from './sample-users.ts';
import { initialUsersList, type UsersListAction, usersListReducer } from './users-list-state.ts';

const vera: UserRecord = { id: '1', name: 'Vera', email: 'vera@example.org', role: 'Owner' };
const after = (...actions: readonly UsersListAction[]) => actions.reduce(usersListReducer, initialUsersList);
const fetched = { type: 'USERS_LIST_FETCH_SUCCESS', rows: [vera], count: 1 } as const;
const asked = { type: 'USERS_LIST_OPEN_CONFIRM', id: '1' } as const;

test('[ENT-15] the list holds rows, count, loading and the dialog with idToDelete', () => {
  expect(initialUsersList).toMatchObject({
    rows: [],
    count: 0,
    loading: false,
    modal: { open: false, idToDelete: null },
  });
});

test('[STATE-11] a fetch loads, then fills the list or empties it with the reason', () => {
  expect(after({ type: 'USERS_LIST_FETCH_STARTED' })).toMatchObject({ loading: true, errorMessage: '' });
  expect(after({ type: 'USERS_LIST_FETCH_STARTED' }, fetched)).toMatchObject({
    loading: false,
    rows: [vera],
    count: 1,
  });
  const failed = after(
    fetched,
    { type: 'USERS_LIST_FETCH_STARTED' },
    { type: 'USERS_LIST_FETCH_ERROR', message: 'No' },
  );
  expect(failed).toMatchObject({ loading: false, rows: [], count: 0, errorMessage: 'No' });
  expect(usersListReducer(failed, { type: 'USERS_LIST_FETCH_STARTED' }).errorMessage).toBe('');
});

test('[STATE-11] a deletion is asked for, refused by closing, and carried out', () => {
  expect(after(fetched, asked).modal).toEqual({ open: true, idToDelete: '1' });
  expect(after(fetched, asked, { type: 'USERS_LIST_CLOSE_CONFIRM' }).modal).toEqual(initialUsersList.modal);
  const started = after(fetched, asked, { type: 'USERS_LIST_DELETE_STARTED' });
  expect(started).toMatchObject({ loading: true, modal: { open: true, idToDelete: '1' }, rows: [vera] });
  expect(usersListReducer(started, { type: 'USERS_LIST_DELETE_SUCCESS' })).toMatchObject({
    loading: false,
    modal: initialUsersList.modal,
    errorMessage: '',
  });
  expect(usersListReducer(started, { type: 'USERS_LIST_DELETE_ERROR', message: 'Gone' })).toMatchObject({
    loading: false,
    modal: initialUsersList.modal,
    errorMessage: 'Gone',
    rows: [vera],
  });
});

test('[STATE-11] the filter is kept, and nothing else changes', () => {
  expect(after(fetched, { type: 'USERS_LIST_FILTER', filter: 've' })).toEqual({
    ...after(fetched),
    filter: 've',
  });
});

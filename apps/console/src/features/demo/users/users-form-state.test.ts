import { describe, expect, test } from 'vitest';
import type { UserRecord } from './sample-users.ts';
import { initialUsersForm, type UsersFormAction, usersFormReducer } from './users-form-state.ts';

const vera: UserRecord = { id: '1', name: 'Vera', email: 'vera@example.org', role: 'Owner' };
const after = (...actions: readonly UsersFormAction[]) => actions.reduce(usersFormReducer, initialUsersForm);
const found = { type: 'USERS_FORM_FIND_SUCCESS', record: vera } as const;

test('[ENT-15] the form holds record, findLoading and saveLoading', () => {
  expect(initialUsersForm).toMatchObject({ record: null, findLoading: false, saveLoading: false });
});

test('[STATE-11] a user is looked for and found, or not', () => {
  const started = after(found, { type: 'USERS_FORM_FIND_STARTED' });
  expect(started).toMatchObject({ record: null, findLoading: true, saveLoading: false });
  expect(usersFormReducer(started, found)).toMatchObject({ record: vera, findLoading: false });
  expect(usersFormReducer(started, { type: 'USERS_FORM_FIND_ERROR', message: 'No such user.' })).toEqual({
    ...initialUsersForm,
    errorMessage: 'No such user.',
  });
});

describe.each(['CREATE', 'UPDATE'] as const)('[STATE-11] %s', (verb) => {
  const started = after(found, { type: `USERS_FORM_${verb}_STARTED` });

  test('is under way, then done', () => {
    expect(started).toMatchObject({ record: vera, saveLoading: true, findLoading: false });
    expect(usersFormReducer(started, { type: `USERS_FORM_${verb}_SUCCESS` })).toEqual(after(found));
  });

  test('fails with its reason, which the next attempt clears', () => {
    const failed = usersFormReducer(started, { type: `USERS_FORM_${verb}_ERROR`, message: 'Gone' });
    expect(failed).toMatchObject({ record: vera, saveLoading: false, errorMessage: 'Gone' });
    expect(usersFormReducer(failed, { type: `USERS_FORM_${verb}_STARTED` }).errorMessage).toBe('');
  });
});

test('[STATE-11] a reset forgets everything', () => {
  expect(after(found, { type: 'USERS_FORM_UPDATE_STARTED' }, { type: 'USERS_FORM_RESET' })).toEqual(
    initialUsersForm,
  );
});

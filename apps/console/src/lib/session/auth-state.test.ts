import type { User } from '@cannery/contract';
import { expect, test } from 'vitest';
import { authPhase, authReducer, initialAuthState, type AuthAction, type AuthState } from './auth-state.ts';

const user: User = { id: '1', name: 'Ada', username: 'ada', avatar: null, location: null };
const after = (...actions: AuthAction[]): AuthState => actions.reduce(authReducer, initialAuthState);

test('[ENT-14] the state holds isFetching, errorMessage, currentUser and loadingInit', () => {
  expect(initialAuthState).toMatchObject({
    isFetching: false,
    errorMessage: '',
    currentUser: null,
    loadingInit: true,
  });
});

test('[STATE-01] the four states of authentication', () => {
  expect(authPhase(initialAuthState)).toBe('loading at start');
  for (const known of [{ type: 'SIGNED_IN', user }, { type: 'SIGNED_OUT' }] as const) {
    expect(authPhase(after(known)), `${known.type} does not end the start`).toBe('loading at start');
  }
  expect(authPhase(after({ type: 'INIT_DONE' }))).toBe('not signed in');
  expect(authPhase(after({ type: 'SIGNED_IN', user }, { type: 'INIT_DONE' }))).toBe('signed in');
  expect(authPhase(after({ type: 'SIGNED_IN', user }, { type: 'INIT_DONE' }, { type: 'SIGNED_OUT' }))).toBe(
    'signed out',
  );
  expect(authPhase(after({ type: 'SIGNED_OUT' }, { type: 'INIT_DONE' })), 'a start with a bad token').toBe(
    'signed out',
  );
});

test('[STATE-02] a request sets fetching and clears the error', () => {
  const state = after({ type: 'AUTH_FAILURE', message: 'no' }, { type: 'AUTH_REQUEST' });
  expect(state).toMatchObject({ isFetching: true, errorMessage: '' });
});

test('[STATE-02] [ERR-14] a failure ends fetching and stores the message, also past the sign-out that follows', () => {
  const failed = after({ type: 'AUTH_REQUEST' }, { type: 'AUTH_FAILURE', message: 'Token refused.' });
  expect(failed).toMatchObject({ isFetching: false, errorMessage: 'Token refused.' });
  expect(authReducer(failed, { type: 'SIGNED_OUT' }).errorMessage).toBe('Token refused.');
});

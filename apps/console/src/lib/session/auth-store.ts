import { useSyncExternalStore } from 'react';
import { authReducer, initialAuthState, type AuthAction, type AuthState } from './auth-state.ts';

/** Keeps the auth state and tells who watches it. */
export class AuthStore {
  #state: AuthState = initialAuthState;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): AuthState => this.#state;

  readonly dispatch = (action: AuthAction): void => {
    this.#state = authReducer(this.#state, action);
    for (const listener of this.#listeners) listener();
  };
}

/** The auth state of this page. */
export const authStore = new AuthStore();

/** The auth state, re-rendering when it changes. */
export function useAuth(): AuthState {
  return useSyncExternalStore(authStore.subscribe, authStore.state);
}

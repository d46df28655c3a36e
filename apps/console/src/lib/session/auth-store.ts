import { Store, useStore } from '../browser/store.ts';
import { authReducer, initialAuthState, type AuthAction, type AuthState } from './auth-state.ts';

/** Keeps the auth state and tells who watches it. */
export class AuthStore extends Store<AuthState> {
  constructor() {
    super(initialAuthState);
  }

  readonly dispatch = (action: AuthAction): void => this.set(authReducer(this.get(), action));
}

/** The auth state of this page. */
export const authStore = new AuthStore();

/** The auth state, re-rendering when it changes. */
export function useAuth(): AuthState {
  return useStore(authStore);
}

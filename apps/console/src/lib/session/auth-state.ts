import type { User } from '@cannery/contract';
import { Store, useStore } from '../browser/store.ts';

/** What the console knows of its session. */
export interface AuthState {
  readonly isFetching: boolean;
  readonly errorMessage: string;
  readonly currentUser: User | null;
  /** Whose token an address handed over, while the visitor is asked whether that is who they are. */
  readonly asksFor: User | null;
  /** True from the start until the stored token, if any, has been checked. */
  readonly loadingInit: boolean;
  /** True once a session has ended, as against a visitor who never had one. */
  readonly signedOut: boolean;
}

type AuthPhase = 'loading at start' | 'signed in' | 'signed out' | 'not signed in';

export type AuthAction =
  | { readonly type: 'AUTH_REQUEST' }
  | { readonly type: 'AUTH_FAILURE'; readonly message: string }
  | { readonly type: 'ASKED'; readonly user: User }
  | { readonly type: 'DECLINED' }
  | { readonly type: 'SIGNED_IN'; readonly user: User }
  | { readonly type: 'SIGNED_OUT'; readonly message?: string }
  | { readonly type: 'INIT_DONE' };

export const initialAuthState: AuthState = {
  isFetching: false,
  errorMessage: '',
  currentUser: null,
  asksFor: null,
  loadingInit: true,
  signedOut: false,
};

/** Keeps the auth state and tells who watches it. */
export class AuthStore extends Store<AuthState> {
  constructor() {
    super(initialAuthState);
  }

  readonly dispatch = (action: AuthAction): void => this.set(authReducer(this.get(), action));
}

/** The auth state of this page. */
export const authStore = new AuthStore();

export function authReducer(state: AuthState, action: AuthAction): AuthState {
  switch (action.type) {
    case 'AUTH_REQUEST':
      return { ...state, isFetching: true, errorMessage: '' };
    case 'AUTH_FAILURE':
      return { ...state, isFetching: false, errorMessage: action.message };
    case 'ASKED':
      return { ...state, isFetching: false, asksFor: action.user };
    case 'DECLINED':
      return { ...state, asksFor: null };
    case 'SIGNED_IN':
      return {
        ...state,
        isFetching: false,
        errorMessage: '',
        currentUser: action.user,
        asksFor: null,
        signedOut: false,
      };
    case 'SIGNED_OUT':
      return {
        ...state,
        isFetching: false,
        errorMessage: action.message ?? state.errorMessage,
        currentUser: null,
        asksFor: null,
        signedOut: true,
      };
    case 'INIT_DONE':
      return { ...state, loadingInit: false };
  }
}

/** Which of the four states of authentication holds. */
export function authPhase(state: AuthState): AuthPhase {
  if (state.loadingInit) return 'loading at start';
  if (state.currentUser) return 'signed in';
  return state.signedOut ? 'signed out' : 'not signed in';
}

/** The auth state, re-rendering when it changes. */
export function useAuth(): AuthState {
  return useStore(authStore);
}

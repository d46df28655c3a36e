import type { UserRecord } from './sample-users.ts';

/** State of the form of a user. */
export interface UsersFormState {
  /** The user who is edited; null for a new one and until found. */
  readonly record: UserRecord | null;
  readonly findLoading: boolean;
  readonly saveLoading: boolean;
  readonly errorMessage: string;
}

export type UsersFormAction =
  | { readonly type: 'USERS_FORM_RESET' }
  | { readonly type: 'USERS_FORM_FIND_STARTED' }
  | { readonly type: 'USERS_FORM_FIND_SUCCESS'; readonly record: UserRecord }
  | { readonly type: 'USERS_FORM_FIND_ERROR'; readonly message: string }
  | { readonly type: 'USERS_FORM_CREATE_STARTED' | 'USERS_FORM_UPDATE_STARTED' }
  | { readonly type: 'USERS_FORM_CREATE_SUCCESS' | 'USERS_FORM_UPDATE_SUCCESS' }
  | {
      readonly type: 'USERS_FORM_CREATE_ERROR' | 'USERS_FORM_UPDATE_ERROR';
      readonly message: string;
    };

export const initialUsersForm: UsersFormState = {
  record: null,
  findLoading: false,
  saveLoading: false,
  errorMessage: '',
};

/** Every change of the form of a user. */
export function usersFormReducer(state: UsersFormState, action: UsersFormAction): UsersFormState {
  switch (action.type) {
    case 'USERS_FORM_RESET':
      return initialUsersForm;
    case 'USERS_FORM_FIND_STARTED':
      return { ...state, record: null, findLoading: true, errorMessage: '' };
    case 'USERS_FORM_FIND_SUCCESS':
      return { ...state, record: action.record, findLoading: false };
    case 'USERS_FORM_FIND_ERROR':
      return { ...state, record: null, findLoading: false, errorMessage: action.message };
    case 'USERS_FORM_CREATE_STARTED':
    case 'USERS_FORM_UPDATE_STARTED':
      return { ...state, saveLoading: true, errorMessage: '' };
    case 'USERS_FORM_CREATE_SUCCESS':
    case 'USERS_FORM_UPDATE_SUCCESS':
      return { ...state, saveLoading: false };
    case 'USERS_FORM_CREATE_ERROR':
    case 'USERS_FORM_UPDATE_ERROR':
      return { ...state, saveLoading: false, errorMessage: action.message };
  }
}

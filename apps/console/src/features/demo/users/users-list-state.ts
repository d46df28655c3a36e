import type { UserRecord } from './sample-users.ts';

/** State of the list of users. */
export interface UsersListState {
  readonly rows: readonly UserRecord[];
  /** How many there are. */
  readonly count: number;
  readonly loading: boolean;
  /** The text by which they are filtered. */
  readonly filter: string;
  /** The dialog that asks before a deletion; null while it is closed. */
  readonly modal: { readonly open: boolean; readonly idToDelete: string | null };
  readonly errorMessage: string;
}

export type UsersListAction =
  | { readonly type: 'USERS_LIST_FETCH_STARTED' }
  | {
      readonly type: 'USERS_LIST_FETCH_SUCCESS';
      readonly rows: readonly UserRecord[];
      readonly count: number;
    }
  | { readonly type: 'USERS_LIST_FETCH_ERROR'; readonly message: string }
  | { readonly type: 'USERS_LIST_DELETE_STARTED' }
  | { readonly type: 'USERS_LIST_DELETE_SUCCESS' }
  | { readonly type: 'USERS_LIST_DELETE_ERROR'; readonly message: string }
  | { readonly type: 'USERS_LIST_FILTER'; readonly filter: string }
  | { readonly type: 'USERS_LIST_OPEN_CONFIRM'; readonly id: string }
  | { readonly type: 'USERS_LIST_CLOSE_CONFIRM' };

const closed = { open: false, idToDelete: null } as const;

export const initialUsersList: UsersListState = {
  rows: [],
  count: 0,
  loading: false,
  filter: '',
  modal: closed,
  errorMessage: '',
};

/** Every change of the list of users. */
export function usersListReducer(state: UsersListState, action: UsersListAction): UsersListState {
  switch (action.type) {
    case 'USERS_LIST_FETCH_STARTED':
    case 'USERS_LIST_DELETE_STARTED':
      return { ...state, loading: true, errorMessage: '' };
    case 'USERS_LIST_FETCH_SUCCESS':
      return { ...state, loading: false, rows: action.rows, count: action.count };
    case 'USERS_LIST_FETCH_ERROR':
      return { ...state, loading: false, rows: [], count: 0, errorMessage: action.message };
    case 'USERS_LIST_DELETE_SUCCESS':
      return { ...state, loading: false, modal: closed };
    case 'USERS_LIST_DELETE_ERROR':
      return { ...state, loading: false, modal: closed, errorMessage: action.message };
    case 'USERS_LIST_FILTER':
      return { ...state, filter: action.filter };
    case 'USERS_LIST_OPEN_CONFIRM':
      return { ...state, modal: { open: true, idToDelete: action.id } };
    case 'USERS_LIST_CLOSE_CONFIRM':
      return { ...state, modal: closed };
  }
}

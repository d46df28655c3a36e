import type { ApiScope } from '@cannery/contract';

/** The signed-in user a call acts for. Its id is part of every query. */
export interface Actor {
  readonly id: string;
  readonly username: string;
}

/** What an API token allows. */
export interface ApiGrant {
  readonly scopes: readonly ApiScope[];
  /** The deploys it is limited to; null for all of its user. */
  readonly deployIds: readonly string[] | null;
}

/** Who makes a call: a user by a session, or by an API token with its bounds. */
export interface Caller extends Actor {
  /** Absent for a session, which may do all that its user may. */
  readonly grant?: ApiGrant | undefined;
}

import type { ApiScope } from '@cannery/contract';
import type { Generated } from 'kysely';

/** Tokens by which programs call the API. */
export interface ApiTokensTable {
  id: string;
  user_id: string;
  label: string;
  /** SHA-256 of the secret, hex: a copy of the table calls nothing. */
  token_hash: string;
  scopes: ApiScope[];
  /** The deploys it is limited to, also those that are gone; null for all deploys of the user. */
  deploy_ids: string[] | null;
  /** Null for a token that does not expire. */
  expires_at: Date | null;
  created_at: Generated<Date>;
  /** Exact to a minute. */
  last_used_at: Date | null;
}

export interface ApiTokenTables {
  api_tokens: ApiTokensTable;
}

import type { DeployType } from '@cannery/contract';
import type { ColumnType, Generated } from 'kysely';

/** A connection of an account at GitHub that somebody has begun. */
interface GitHubAttemptsTable {
  state_hash: string;
  /** The session in which it began and in which alone it can end. */
  session_hash: string;
  deploy_type: DeployType;
  expires_at: Date;
}

/** An installation of the app that a user has shown to be allowed to use. */
export interface GitHubInstallationsTable {
  user_id: string;
  installation_id: number;
  /** The account whose repositories it opens. */
  account_login: string;
  account_id: number;
  /** Who the user is at GitHub. */
  github_user_id: number;
  github_login: string;
  /** The repositories that the user could read at that time; null for all, in the user's own account. */
  repository_ids: ColumnType<readonly number[] | null, string | null, string | null>;
  created_at: Generated<Date>;
}

/** Events of GitHub that have been taken. */
interface GitHubDeliveriesTable {
  id: string;
  expires_at: Date;
}

export interface GitHubTables {
  github_attempts: GitHubAttemptsTable;
  github_installations: GitHubInstallationsTable;
  github_deliveries: GitHubDeliveriesTable;
}

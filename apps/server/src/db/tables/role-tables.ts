import type { ColumnType } from 'kysely';

/** What every process of this database must have alike, as the first one had it. */
interface DeploymentMarksTable {
  name: string;
  value: string;
  /** By the clock of the database. */
  recorded_at: ColumnType<Date, never, never>;
}

/** Folders of repositories, and the git role that serves each. */
interface GitFoldersTable {
  /** Written in the folder. */
  id: string;
  /** The process, by the id in its data folder. */
  holder: string;
  /** Address of the process for other roles, without '/' at its end. */
  url: string;
  /** By the clock of the database. */
  lease_until: Date;
}

/** The folder that has the repositories of a user. */
interface RepositoryHomesTable {
  user_id: string;
  folder_id: string;
}

export interface RoleTables {
  deployment_marks: DeploymentMarksTable;
  git_folders: GitFoldersTable;
  repository_homes: RepositoryHomesTable;
}

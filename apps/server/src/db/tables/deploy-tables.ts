import type { DeployPartKind, DeployStatus, DeployType, LeftOut, SiteWarning } from '@cannery/contract';
import type { ColumnType, Generated } from 'kysely';
import type { DeploySettings } from './deploy-settings.ts';

export interface DeploysTable {
  id: string;
  user_id: string;
  name: string;
  type: DeployType;
  branch: string;
  repo_owner: string;
  repo_name: string;
  is_public: boolean;
  /** Page of a public repository of another git host; else null. */
  repo_url: string | null;
  settings: ColumnType<Partial<DeploySettings>, string | undefined, string>;
  /** The id that GitHub gives the repository, for one that is opened by a connected account; else null. */
  github_repository_id: Generated<number | null>;
  /** The id of its repository at the embedded git host, whatever the name of that is by now; null for one elsewhere. */
  repository_id: Generated<string | null>;
  /** Whether its repository is known to be deleted. */
  repository_deleted: Generated<boolean>;
  /** The run whose result it serves; null until one has succeeded. */
  live_run_id: Generated<string | null>;
  /** The request that deletes it together with its canisters; null while there is none. */
  deletion_id: Generated<string | null>;
  /** Until when that request has the deploy for itself. */
  deletion_expires_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** Variables that the commands of a build get. */
interface DeployVariablesTable {
  deploy_id: string;
  name: string;
  /** Null for a secret. */
  value: string | null;
  /** A secret, sealed for its deploy and name; else null. */
  sealed: Buffer | null;
}

/** The canisters a deploy fills; a canister the user deletes leaves its deploy. */
interface DeployCanistersTable {
  deploy_id: string;
  canister_id: string;
  /** Its name in the project; null until a run has named it. */
  name: string | null;
  /** What it was last filled with; null until then. */
  kind: DeployPartKind | null;
  created_at: Generated<Date>;
}

/** Names by which the websites of deploys are served. One whose deploy has let go of it is kept for its user for a time. */
interface SiteNamesTable {
  name: string;
  user_id: string;
  /** Null when it was let go. */
  deploy_id: string | null;
  /** When that was; null while a deploy has it. */
  released_at: Date | null;
}

export interface DeployInstancesTable {
  id: string;
  /** Order of triggering; times alone may tie. */
  seq: Generated<number>;
  deploy_id: string;
  user_id: string;
  /** Place in the line of all runs of its kind, those that build or those that publish again: lower ones go first. */
  turn: Generated<number>;
  status: DeployStatus;
  trigger_by: string;
  commit_id: string | null;
  /** The whole id of the commit that it builds. */
  commit_sha: Generated<string | null>;
  commit_message: string | null;
  /** Name of the author of the commit; null until it is known, and in runs of before this column. */
  commit_author: Generated<string | null>;
  /** The tag whose commit it builds, which `commit_sha` then names from the beginning; null for the branch. */
  tag: Generated<string | null>;
  /** Milliseconds from the first start to the end; null until then. */
  duration_ms: number | null;
  /** How often a worker has started the run; a worker that was taken for dead holds an older number. */
  attempt: Generated<number>;
  /** How often its worker was gone without having put it back in line. */
  crashes: Generated<number>;
  /** Who has cancelled it. */
  cancelled_by: Generated<string | null>;
  /** The run whose artifact it publishes again; null for a run that builds. */
  source_id: Generated<string | null>;
  /** The run that was live until this one was; null before, and where there was none. */
  replaced_run_id: Generated<string | null>;
  /** The run whose commit, in `commit_sha` from the beginning, it builds again; null for one that builds what its branch or tag has. */
  rebuild_of: Generated<string | null>;
  /** Names in the project of the canisters that it is limited to; null for the whole project. */
  chosen_canisters: ColumnType<readonly string[] | null, string | null | undefined, never>;
  /** The last line of its log while it puts its canisters back; null before and afterwards. */
  going_back: Generated<string | null>;
  /** False while it waits for the run before it of its deploy: no job stands behind it yet. */
  job_sent: Generated<boolean>;
  /** What its log takes in the database; 0 until it has ended, and after the log was removed. */
  log_bytes: Generated<number>;
  /** What it leaves out of the project; null for nothing. */
  left_out: ColumnType<LeftOut | null, string | null | undefined, string | null>;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface DeployLogLinesTable {
  instance_id: string;
  seq: number;
  /** One or more lines without the line break at the end. */
  text: string;
  /** Number of the first of them, from 1. Null, as all that follows, in logs of before these columns. */
  first_line: Generated<number | null>;
  /** When the first of them was printed. */
  written_at: Generated<Date | null>;
  /** Milliseconds from that moment to each of them. */
  after_ms: Generated<number[] | null>;
  /** The phase of the run, see `runPhases` of the contract. */
  phase: Generated<string | null>;
}

/** Warnings of the check of a run's websites; a run without any has no row. */
interface RunWarningsTable {
  instance_id: string;
  warnings: ColumnType<readonly SiteWarning[], string, string>;
}

/** What one canister of a run was filled with. */
export interface ArtifactPart {
  readonly name: string;
  readonly kind: DeployPartKind;
  /** SHA-256, hex: of the module as it was sent, or of all files of the website. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** What a run has published, kept for publishing it again, or what it was not allowed to publish yet. */
export interface RunArtifactsTable {
  instance_id: string;
  deploy_id: string;
  user_id: string;
  /** SHA-256 of the pack, hex, by which the blob store has it. */
  identifier: string;
  /** Bytes of the pack. */
  size: number;
  canisters: ColumnType<readonly ArtifactPart[], string, never>;
  /** Whether its run was refused for an interface, so that nothing of it is published. */
  awaits_approval: Generated<boolean>;
  created_at: Generated<Date>;
}

/** The newest snapshot of a canister that a run of a deploy has taken; the next one takes its place. */
interface AutomaticSnapshotsTable {
  canister_id: string;
  snapshot_id: string;
}

/** The picture of a website of a deploy. */
interface SitePicturesTable {
  canister_id: string;
  deploy_id: string;
  /** The run that it shows. */
  instance_id: string;
  /** A JPEG in the blob store; null for one of before that has not been put there yet. */
  identifier: string | null;
  /** That one. */
  picture: Buffer | null;
  taken_at: Generated<Date>;
}

interface GitTokensTable {
  id: string;
  user_id: string;
  label: string;
  /** SHA-256 of the token, hex: a copy of the table opens no repository. */
  token_hash: string;
  created_at: Generated<Date>;
  last_used_at: Date | null;
  /** When it ends by itself; null for one that lasts until it is revoked. */
  expires_at: Date | null;
}

export interface DeployTables {
  deploys: DeploysTable;
  deploy_variables: DeployVariablesTable;
  deploy_canisters: DeployCanistersTable;
  site_names: SiteNamesTable;
  deploy_instances: DeployInstancesTable;
  deploy_log_lines: DeployLogLinesTable;
  run_artifacts: RunArtifactsTable;
  automatic_snapshots: AutomaticSnapshotsTable;
  run_warnings: RunWarningsTable;
  site_pictures: SitePicturesTable;
  git_tokens: GitTokensTable;
}

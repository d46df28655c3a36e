import type { BreakingChoice, HealthCall, SnapshotChoice } from '@cannery/contract';

/** What the user has set for the runs of a deploy, as the column `settings` keeps it: what is left out there is as usual. */
export interface DeploySettings {
  /** Null but for static sites. */
  readonly build_command: string | null;
  readonly publish_directory: string | null;
  /** Folder of the project, relative to the checkout; empty for the checkout itself. */
  readonly root_directory: string;
  /** Candid texts by the names of canisters in the project. */
  readonly install_arguments: Readonly<Record<string, string>>;
  /** What new canisters start with, cycles as decimal text by their names in the project; the usual amount for others. */
  readonly starting_cycles: Readonly<Record<string, string>>;
  /** Whether a push of its branch starts a run; only for repositories that tell of pushes. */
  readonly on_push: boolean;
  /** Since when pushes of its branch start no run although `on_push` says so, as an ISO moment; null while they do. */
  readonly push_paused_at: string | null;
  /** Patterns of the paths whose change in a push starts a run; empty for all. */
  readonly watch_paths: readonly string[];
  /** A push of a tag that fits this pattern starts a run; empty for none. */
  readonly deploy_tags: string;
  /** What happens to a run whose code would break callers of a canister. */
  readonly breaking_changes: BreakingChoice;
  /** Whether a run takes a snapshot of a canister with code before it upgrades it. */
  readonly snapshots: SnapshotChoice;
  /** What a run calls when everything is published. */
  readonly health_call: HealthCall | null;
  /** Names of canisters without which the others may go live though they need them. */
  readonly deploy_without: readonly string[];
}

/** The settings of a deploy for which nothing was set. */
export const USUAL_SETTINGS: DeploySettings = {
  build_command: null,
  publish_directory: null,
  root_directory: '',
  install_arguments: {},
  starting_cycles: {},
  on_push: false,
  push_paused_at: null,
  watch_paths: [],
  deploy_tags: '',
  breaking_changes: 'publish',
  snapshots: 'require',
  health_call: null,
  deploy_without: [],
};

import { z } from 'zod';
import {
  buildVariable,
  givenVariable,
  likelyRoot,
  rootDirectory,
  startingCycles,
  VARIABLES_LIMIT,
} from './project-plan.ts';
import { deployType } from './deploy-type.ts';
import { tagPattern, watchPaths } from './push-triggers.ts';
import { siteName } from './site-name.ts';
import { endpoint } from '../endpoint.ts';
import { registryForm } from '../registry.ts';
import { deployInstance, healthCall, logEndEvent, logLinesEvent, snapshotChoice } from './run.ts';
import { entityOf, idOf, outcome, outcomeOf, type ReadObject, rowsOf } from '../texts/reading.ts';

/** Milliseconds (specification point 9). */
export const deployTimers = { pollInstance: 2000, refreshLists: 5000, firstTriggerDelay: 4000 } as const;

export const DEFAULT_BRANCH = 'master';

/** Deploys of one user. */
export const MAX_DEPLOYS = 1000;

/** What happens to a run whose code would break callers of a canister: it is published, the user is asked, or it is refused. */
export const breakingChoices = ['publish', 'ask', 'refuse'] as const;
export const breakingChoice = z.enum(breakingChoices);
export type BreakingChoice = z.infer<typeof breakingChoice>;

/** The choice that a deploy has; publish, the choice of all deploys of before, for anything unknown. */
export function breakingChoiceOf(value: unknown): BreakingChoice {
  return breakingChoices.find((choice) => choice === value) ?? 'publish';
}

/** The last sentence of the log of a run that awaits approval. */
export const PUBLISH_ANYWAY_STEP =
  "Keep the interface compatible, or choose 'Publish anyway' on the page of the deploy before its next run.";

/** What a canister of a deploy is filled with: files of a website, or code. */
export const deployPartKinds = ['site', 'module'] as const;
export type DeployPartKind = (typeof deployPartKinds)[number];

/** A canister of a deploy. */
export const deployPart = z.object({
  canister_id: z.string(),
  /** Its name in the project; null until a run has named it. */
  name: z.string().nullable(),
  /** 'site' or 'module'; null until a run has filled it. */
  kind: z.string().nullable(),
  /** Whether it is known to answer HTTP. */
  serves_http: z.boolean(),
  /** Address of a picture of its website, taken when a run was live; null when there is none. */
  picture: z.string().nullable(),
});

/** Install arguments of one canister of a project. */
export const installArgument = z.object({
  /** Its name in the project; blanks around it do not count. */
  canister: z
    .string()
    .min(1)
    .max(100)
    .refine((name) => name.trim() !== '', 'Name the canister that the argument is for.'),
  /** Candid text, such as `("Ada", 5)`. */
  argument: z.string().max(20_000),
});
export type InstallArgumentText = z.infer<typeof installArgument>;

export const deploy = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.string().nullable(),
  repo_name: z.string(),
  /** Whether its repository was deleted: no run can begin until it is connected with another one. */
  repository_deleted: z.boolean(),
  github_repo_owner: z.string(),
  branch: z.string(),
  build_command: z.string().nullable(),
  publish_directory: z.string().nullable(),
  /** Folder of the project in the repository; empty for the repository itself. */
  root_directory: z.string(),
  is_public: z.boolean(),
  /** Address of the repository's page at another git host; null for one of the provider. */
  url: z.string().nullable(),
  /** The name by which its website is served besides the ID of the canister, see `site_name_pattern`; null for none. */
  site_name: z.string().nullable(),
  /** Whether a push of its branch starts a run. */
  on_push: z.boolean(),
  /** Since when pushes of its branch start no run although `on_push` says so; null while they do, absent from services without that. */
  push_paused_at: z.string().nullable().optional(),
  /** Patterns of the paths whose change in a push starts a run; empty for all. */
  watch_paths: z.array(z.string()),
  /** A pattern: a push of a tag that fits it starts a run of the tag's commit; empty for none. */
  deploy_tags: z.string(),
  /** 'publish', 'ask' or 'refuse'; websites have no interface that counts. */
  breaking_changes: z.string(),
  /** 'require', 'try' or 'off': whether a snapshot is taken before an upgrade. */
  snapshots: z.string(),
  /** Null where a run makes none. */
  health_call: healthCall.nullable(),
  /** Canisters without which the others may go live though they need them. */
  deploy_without: z.array(z.string()),
  duration: z.number().nullable(),
  created_at: z.string(),
  canisters: z.array(z.string()),
  /** The same canisters with their names in the project. */
  parts: z.array(deployPart),
  /** Given in the settings; they count more than those of the project. */
  install_arguments: z.array(installArgument),
  /** What new canisters start with in place of the usual amount. */
  starting_cycles: z.array(startingCycles),
  /** What the commands of its builds get besides what the build itself sets. */
  variables: z.array(buildVariable),
  /** Id of the run whose result is served, as recorded when it went live; absent from services that do not tell. */
  live_run: z.string().nullable().optional(),
  /** The latest run, without its logs. */
  deployInstance: deployInstance.nullable(),
});
export type DeployAnswer = z.infer<typeof deploy>;
export type Deploy = ReadObject<DeployAnswer>;

/** What is known of a repository without building it. */
export const detectedSite = z.object({
  /** Null when nothing was recognised. */
  framework: z.string().nullable(),
  /** A sentence without its full stop, such as 'Vite found in package.json'. */
  why: z.string(),
  build_command: z.string(),
  publish_directory: z.string(),
  /** The Node that the repository asks for. */
  node_version: z.string().nullable(),
  package_manager: z.string().nullable(),
  /** Folders that may be meant as the root directory. */
  roots: z.array(likelyRoot),
  /** What to do, as sentences, where nothing was recognised; else null. */
  advice: z.string().nullable(),
  /** The type that deploys what is there, where that is no website; else absent. */
  better_type: deployType.optional(),
});
export type DetectedSiteAnswer = z.infer<typeof detectedSite>;

/** A publish directory stays inside the repository. */
export function isPublishDirectory(directory: string): boolean {
  return !directory.includes('..');
}

const name = z.string().refine((value) => value.trim() !== '', { message: 'Required' });
const publishDirectory = z.string().refine(isPublishDirectory, { message: 'Invalid publish directory' });

/** The create-deploy form of the console. */
export const createDeployForm = z.object({
  name,
  branch: name,
  build_cmd: z.string(),
  publish_dir: publishDirectory,
  root_dir: rootDirectory.optional(),
});
export type CreateDeployForm = z.infer<typeof createDeployForm>;

const idParams = z.object({ id: z.string().min(1) });

/** What becomes of the canisters of a deploy that is deleted. */
export const canisterFates = ['keep', 'delete'] as const;
export type CanisterFate = (typeof canisterFates)[number];

const deletion = z.object({
  message: z.string(),
  /** Cycles that came back to the account, exact. */
  refunded: z.string(),
});

export const deployEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/deploy',
    summary: 'Deploys of the user, newest first, each with its latest instance',
    signedIn: true,
    scope: 'deploys:read',
    response: z.array(deploy),
    reading: rowsOf(deploy),
  }),
  one: endpoint({
    method: 'GET',
    path: '/deploy/{id}',
    summary: 'One deploy',
    signedIn: true,
    scope: 'deploys:read',
    params: idParams,
    response: deploy,
    reading: entityOf(deploy),
  }),
  create: endpoint({
    method: 'POST',
    path: '/deploy',
    summary: 'Creates a deploy; it does not run yet',
    signedIn: true,
    idempotent: true,
    body: z.object({
      name,
      branch: name,
      owner: name,
      repo_name: name,
      deploy_type: deployType.default('STATIC_SITE'),
      is_public: z.boolean().default(false),
      /** Address of a public repository of another git host; owner and name are then read from it. */
      url: z.string().optional(),
      build_command: z.string().optional(),
      publish_directory: publishDirectory.optional(),
      root_directory: rootDirectory.optional(),
      starting_cycles: z.array(startingCycles).max(50).optional(),
    }),
    response: z.object({ id: z.string() }),
    reading: idOf('id', 'deploy_id'),
  }),
  detect: endpoint({
    method: 'POST',
    path: '/deploy/detect',
    summary: 'How a branch of a repository becomes a site: its framework, and the settings that fit',
    signedIn: true,
    again: 'reads',
    body: z.object({
      owner: name,
      repo_name: name,
      branch: name,
      is_public: z.boolean().default(false),
      /** Address of a public repository of another git host; owner and name are then read from it. */
      url: z.string().optional(),
      root_directory: rootDirectory.optional(),
    }),
    response: detectedSite,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/deploy/{id}',
    summary: 'Changes name, build command and publish directory',
    signedIn: true,
    again: 'same',
    params: idParams,
    body: z.object({
      name: name.optional(),
      /** Another repository of the user at this console; only for a deploy of one. */
      repo_name: name.optional(),
      build_cmd: z.string().optional(),
      publish_dir: publishDirectory.optional(),
      root_directory: rootDirectory.optional(),
      /** All of them: those left out are taken away. Not for the type MOTOKO, whose builds run no commands. */
      variables: z.array(givenVariable).max(VARIABLES_LIMIT).optional(),
      /** All of them: those left out are taken away. */
      install_arguments: z.array(installArgument).max(50).optional(),
      /** All of them: those left out start with the usual amount. */
      starting_cycles: z.array(startingCycles).max(50).optional(),
      /** Whether a push of its branch starts a run; only for a repository of this console. */
      on_push: z.boolean().optional(),
      /** Whether pushes of its branch start no run until this is false again; a new choice of `on_push` ends it as well. */
      push_paused: z.boolean().optional(),
      /** All of them; empty for all paths. Only for a repository of this console, as is `deploy_tags`. */
      watch_paths: watchPaths.optional(),
      /** Empty for none. */
      deploy_tags: tagPattern.optional(),
      /** These are not for the type STATIC_SITE. */
      breaking_changes: breakingChoice.optional(),
      snapshots: snapshotChoice.optional(),
      /** Null for none. */
      health_call: healthCall.nullable().optional(),
      /** All of them: without those left out, a run fails where others need them. */
      deploy_without: z.array(z.string().min(1).max(100)).max(50).optional(),
      /** Empty for none; not for the type MOTOKO, which has no website. Nobody else gets a name within 30 days after its end. */
      site_name: siteName.optional(),
    }),
    response: z.object({ success: z.boolean(), data: deploy }),
    reading: outcome,
  }),
  trigger: endpoint({
    method: 'POST',
    path: '/deploy/{id}/trigger',
    summary:
      'Starts a run of the deploy and answers its instance id. While a run is under way the new one waits for it; while one waits already, its id is answered',
    signedIn: true,
    scope: 'deploys:run',
    idempotent: true,
    params: idParams,
    body: z
      .object({
        /**
         * Names in the project of the canisters to deploy, for a part of it alone. What they need is deployed with them where
         * nothing is in it yet; all others stay as they are. Not for the type STATIC_SITE.
         */
        canisters: z.array(z.string().min(1).max(100)).min(1).max(50).optional(),
      })
      .default({}),
    response: z.object({ id: z.string() }),
    reading: idOf('id', 'instance_id'),
  }),
  instances: endpoint({
    method: 'GET',
    path: '/deploy/{id}/instances',
    summary: 'The latest 500 runs of a deploy, newest first',
    signedIn: true,
    scope: 'deploys:read',
    params: idParams,
    response: z.object({ data: z.array(deployInstance) }),
    reading: rowsOf(deployInstance),
  }),
  instance: endpoint({
    method: 'GET',
    path: '/deploy/{id}/instances/{instanceId}',
    summary: 'One run with its log',
    signedIn: true,
    scope: 'deploys:read',
    minimal: true,
    params: idParams.extend({ instanceId: z.string().min(1) }),
    response: deployInstance,
    reading: entityOf(deployInstance),
  }),
  log: endpoint({
    method: 'GET',
    path: '/deploy/{id}/instances/{instanceId}/log',
    summary: 'The log of a run as it is written, as events `lines` and, when the run is over, one `end`',
    signedIn: true,
    scope: 'deploys:read',
    eventStream: true,
    params: idParams.extend({ instanceId: z.string().min(1) }),
    response: z.union([logLinesEvent, logEndEvent]),
  }),
  rollback: endpoint({
    method: 'POST',
    path: '/deploy/{id}/instances/{instanceId}/rollback',
    summary:
      'Starts a run that publishes again what this successful run has published, without a build, and answers its instance id. Data of canisters stays',
    signedIn: true,
    scope: 'deploys:run',
    idempotent: true,
    params: idParams.extend({ instanceId: z.string().min(1) }),
    response: z.object({ id: z.string() }),
    reading: idOf('id', 'instance_id'),
  }),
  addModule: endpoint({
    method: 'POST',
    path: '/deploy/{id}/instances/{instanceId}/registry',
    summary:
      'Adds the module that this successful run has put into a canister to the registries, as an upload of it would be',
    signedIn: true,
    idempotent: true,
    params: idParams.extend({ instanceId: z.string().min(1) }),
    body: registryForm.extend({
      /** The canister's name in the project. */
      canister: z.string().min(1),
    }),
    response: z.object({ data: z.string(), id: z.string() }),
    reading: idOf(),
  }),
  publish: endpoint({
    method: 'POST',
    path: '/deploy/{id}/instances/{instanceId}/publish',
    summary:
      'Starts a run that publishes what the newest run has built and was refused for its interface, without a build, and answers its instance id. A second call answers the same id',
    signedIn: true,
    scope: 'deploys:run',
    idempotent: true,
    params: idParams.extend({ instanceId: z.string().min(1) }),
    response: z.object({ id: z.string() }),
    reading: idOf('id', 'instance_id'),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/deploy/{id}/instances/{instanceId}/cancel',
    summary:
      'Cancels a run that waits or is under way; it becomes FAILED. What it has published stays. For a run that is over nothing happens. An API token that may not read deploys gets no log',
    signedIn: true,
    scope: 'deploys:run',
    params: idParams.extend({ instanceId: z.string().min(1) }),
    response: deployInstance,
    reading: entityOf(deployInstance),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/deploy/{id}',
    summary:
      'Deletes a deploy with its runs, their logs and what they have published. Its canisters stay in the account, or they are deleted as well and their cycles come back',
    signedIn: true,
    params: idParams,
    query: z.object({ canisters: z.enum(canisterFates).default('keep') }),
    response: deletion,
    reading: outcomeOf(deletion),
  }),
};

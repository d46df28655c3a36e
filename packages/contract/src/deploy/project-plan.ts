import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { deployType } from './deploy-type.ts';

/** Names of variables: what every shell takes. */
const VARIABLE_NAME = /^[A-Za-z_]\w{0,99}$/;
/** Variables that a build itself sets, and could not run without. */
const RESERVED_VARIABLES = /^(?:PATH|HOME|PWD|OLDPWD|SHELL|USER|LOGNAME|TMPDIR|IFS|CANNERY_.*)$/;

/** Whether the commands of a build may have a variable of this name. */
export function isVariableName(variable: string): boolean {
  return VARIABLE_NAME.test(variable) && !RESERVED_VARIABLES.test(variable);
}

/** Characters; a shorter secret could not be hidden in a log without hiding ordinary words. */
export const SHORTEST_SECRET = 8;
/** Most variables of a deploy. */
export const VARIABLES_LIMIT = 100;

/** A variable of the commands of a build. */
export const buildVariable = z.object({
  name: z.string(),
  /** Null for a secret, which is never answered. */
  value: z.string().nullable(),
  secret: z.boolean(),
});

/** A variable as it is saved. */
export const givenVariable = z.object({
  name: z.string().refine(isVariableName, { message: 'Invalid name of a variable' }),
  /** Absent to keep the value that it has. */
  value: z.string().max(10_000).optional(),
  /** Whether its value is kept sealed, never answered, and hidden in logs. */
  secret: z.boolean().default(false),
});
export type GivenVariable = z.input<typeof givenVariable>;

/** A folder of the repository, by its path from there. */
export function isRootDirectory(directory: string): boolean {
  const path = directory.trim();
  const isPlain = !path.startsWith('/') && !path.includes('\\') && path.length <= 500;
  return isPlain && !path.split('/').includes('..');
}

/** The folder of a project in a repository. */
export const rootDirectory = z.string().refine(isRootDirectory, { message: 'Invalid root directory' });

/** Most T that a new canister of a deploy starts with. */
export const STARTING_MOST_T = 1_000;

/** A folder that may be meant as the root directory. */
export const likelyRoot = z.object({
  folder: z.string(),
  /** The file that says so, such as 'dfx.json'. */
  file: z.string(),
});
export type LikelyRootAnswer = z.infer<typeof likelyRoot>;

/** What a new canister of a deploy starts with, in place of the usual amount. */
export const startingCycles = z.object({
  /** Its name in the project; that of a static site is 'website'. */
  canister: z.string().min(1).max(100),
  /** In T, cut to two decimals. */
  amount: z.number().positive().max(STARTING_MOST_T),
});
export type StartingCycles = z.infer<typeof startingCycles>;

/** A canister of a project, as a run would deploy it. */
export const plannedCanister = z.object({
  name: z.string(),
  /** 'motoko', 'rust', 'module', 'site', or 'left' for one that is not deployed. */
  kind: z.string(),
  /** Why it is not deployed, as the second half of a sentence. */
  reason: z.string().nullable(),
  /** The canister that it has already; null for one that a run creates. */
  canister_id: z.string().nullable(),
  /** What creating it costs, exact cycles; 0 where it is not created. */
  cycles: z.string(),
});

/** What a run of a project would create. */
export const projectPlan = z.object({
  canisters: z.array(plannedCanister),
  /** What creating all that are missing costs together, and what the account can spend; exact cycles. */
  cost: z.string(),
  balance: z.string(),
  /** What creating a canister costs where the settings say nothing, and at least; exact cycles. */
  creation: z.string(),
  /** Why the project cannot be read; null when it can. */
  problem: z.string().nullable(),
  /** Folders that may be meant as the root directory, where that has no settings of a project. */
  roots: z.array(likelyRoot),
  /** The file that says what the project consists of; null where only its sources do. Absent where nothing was read. */
  settings_file: z.string().nullable().optional(),
  /** The type that deploys what is there, where the asked one does not; else absent. */
  better_type: deployType.optional(),
});
export type ProjectPlanAnswer = z.infer<typeof projectPlan>;

const filled = z.string().refine((value) => value.trim() !== '', { message: 'Required' });

export const planEndpoints = {
  draft: endpoint({
    method: 'POST',
    path: '/deploy/plan',
    summary: 'Which canisters a deploy of a branch would create, and for how many cycles; nothing is built',
    signedIn: true,
    again: 'reads',
    body: z.object({
      owner: filled,
      repo_name: filled,
      branch: filled,
      deploy_type: deployType.default('STATIC_SITE'),
      is_public: z.boolean().default(false),
      /** Address of a public repository of another git host; owner and name are then read from it. */
      url: z.string().optional(),
      root_directory: rootDirectory.optional(),
      /** Id of a starter template that the repository would be made from; then nothing else of it counts. */
      template: z.string().optional(),
    }),
    response: projectPlan,
  }),
  ofDeploy: endpoint({
    method: 'GET',
    path: '/deploy/{id}/plan',
    summary:
      'Which canisters the next run of a deploy would create, and for how many cycles; nothing is built',
    signedIn: true,
    params: z.object({ id: z.string().min(1) }),
    response: projectPlan,
  }),
};

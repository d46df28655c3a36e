import { z } from 'zod';
import { rootDirectory } from './build-settings.ts';
import { deployType } from './deploy-type.ts';
import { endpoint } from '../endpoint.ts';

/** Most T that a new canister of a deploy starts with. */
export const STARTING_MOST_T = 1_000;

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
  /** 'motoko', 'module', 'site', or 'left' for one that is not deployed. */
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
});
export type ProjectPlanAnswer = z.infer<typeof projectPlan>;

const filled = z.string().refine((value) => value.trim() !== '', { message: 'Required' });

export const planEndpoints = {
  draft: endpoint({
    method: 'POST',
    path: '/deploy/plan',
    summary: 'Which canisters a deploy of a branch would create, and for how many cycles; nothing is built',
    signedIn: true,
    body: z.object({
      owner: filled,
      repo_name: filled,
      branch: filled,
      deploy_type: deployType.default('STATIC_SITE'),
      is_public: z.boolean().default(false),
      /** Address of a public repository of another git host; owner and name are then read from it. */
      url: z.string().optional(),
      root_directory: rootDirectory.optional(),
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

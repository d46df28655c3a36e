import { z } from 'zod';
import { deployTypes } from '../deploy/deploy-type.ts';
import { endpoint } from '../endpoint.ts';

/** Pages of the console that lead to GitHub, and that GitHub leads back to. */
export const GITHUB_PATH = '/git/github';
export const GITHUB_CALLBACK_PATH = '/git/github/connected';

export const githubEndpoints = {
  begin: endpoint({
    method: 'POST',
    path: '/github/connections',
    summary:
      'Page of GitHub where the user connects an account; for this session, once and within 30 minutes',
    signedIn: true,
    body: z.object({
      deploy_type: z.enum(deployTypes).default('STATIC_SITE'),
      /** To install the app, or to show installations that there are already. */
      way: z.enum(['install', 'authorize']).default('install'),
    }),
    response: z.object({ address: z.string() }),
  }),
  finish: endpoint({
    method: 'POST',
    path: '/github/connected',
    summary: 'Ends a connection that this session began, with what GitHub gave the browser',
    signedIn: true,
    body: z.object({
      code: z.string().min(1).max(200),
      state: z.string().min(1).max(2_000),
      installation_id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    response: z.object({
      /** Names of all connected accounts. */
      accounts: z.array(z.string()),
      deploy_type: z.enum(deployTypes),
    }),
  }),
};

import { z } from 'zod';
import { apiScopes, endpoint } from './endpoint.ts';

/** How the secret of an API token begins. */
export const API_TOKEN_PREFIX = 'cnry_api_';

/** Days after which an API token may expire. */
export const apiTokenDays = [30, 90, 365] as const;

/** API tokens of one user. */
export const MAX_API_TOKENS = 50;

/** Deploys that one API token can be limited to. */
export const MAX_DEPLOYS_OF_TOKEN = 50;

export const apiToken = z.object({
  id: z.string(),
  label: z.string(),
  scopes: z.array(z.enum(apiScopes)),
  /** The deploys it is limited to; null when it is for all deploys of its user. */
  deploy_ids: z.array(z.string()).nullable(),
  /** Null for a token that does not expire. */
  expires_at: z.string().nullable(),
  created_at: z.string(),
  /** Exact to a minute; null when nobody has used it. */
  last_used_at: z.string().nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;

export const apiTokenEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api-tokens',
    summary: "The user's API tokens, newest first, without their secrets",
    signedIn: true,
    response: z.array(apiToken),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api-tokens',
    summary: 'Creates an API token for programs; its secret is in this answer only',
    signedIn: true,
    body: z.object({
      label: z.string().trim().min(1).max(100),
      scopes: z.array(z.enum(apiScopes)).min(1).max(apiScopes.length),
      /** The deploys it is limited to; all of the user when absent or null. */
      deploy_ids: z.array(z.string().min(1).max(100)).min(1).max(MAX_DEPLOYS_OF_TOKEN).nullish(),
      /** Days after which it expires; never when absent or null. */
      expires_in_days: z.literal(apiTokenDays).nullish(),
    }),
    response: apiToken.extend({ secret: z.string() }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api-tokens/{id}',
    summary: 'Deletes an API token; whoever uses it is refused from then on',
    signedIn: true,
    params: z.object({ id: z.string().min(1) }),
    response: z.object({ message: z.string() }),
  }),
};

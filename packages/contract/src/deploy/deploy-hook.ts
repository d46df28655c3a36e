import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** What came of a delivery: it started a run, or told of something that starts none, such as a test of the git host. */
export const deliveryOutcomes = ['run', 'other'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Where the git host of a deploy's repository tells of pushes. */
export const deployHook = z.object({
  /** The address that the git host calls. */
  address: z.string(),
  /** When its secret was made. */
  created_at: z.string(),
  /** When the git host last called with this secret; null until then. */
  last_delivery_at: z.string().nullable(),
  /** 'run' or 'other'. */
  last_delivery: z.string().nullable(),
});
export type DeployHook = z.infer<typeof deployHook>;

const params = z.object({ id: z.string().min(1) });

export const deployHookEndpoints = {
  one: endpoint({
    method: 'GET',
    path: '/deploy/{id}/hook',
    summary: 'The webhook of a deploy of another git host, without its secret; null while it is off',
    signedIn: true,
    params,
    response: z.object({ hook: deployHook.nullable() }),
  }),
  renew: endpoint({
    method: 'POST',
    path: '/deploy/{id}/hook',
    summary:
      'Switches the webhook of a deploy of another git host on, or gives it a new secret at the same address; the secret is in this answer only',
    signedIn: true,
    params,
    response: deployHook.extend({ secret: z.string() }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/deploy/{id}/hook',
    summary: 'Switches the webhook of a deploy off; its address is gone for good',
    signedIn: true,
    params,
    response: z.object({ message: z.string() }),
  }),
};

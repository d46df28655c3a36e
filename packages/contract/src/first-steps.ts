import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** What somebody does who gets to know the service, in the order in which that makes sense. */
export const firstStepNames = ['create', 'call', 'push', 'roll_back'] as const;
export type FirstStepName = (typeof firstStepNames)[number];

export const firstSteps = z.object({
  /** What the user has done, as the service has recorded it, and when it was done first; ISO 8601. */
  done: z.array(z.object({ step: z.string(), at: z.string() })),
  /** Whether the user has put the list away. */
  dismissed: z.boolean(),
});
export type FirstSteps = z.infer<typeof firstSteps>;

export const firstStepEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/account/first-steps',
    summary:
      'What of the first steps the user has done: `create` a canister, `call` one, `push` to a repository, `roll_back` a deploy',
    signedIn: true,
    response: firstSteps,
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/account/first-steps/dismiss',
    summary: 'Puts the list of first steps away',
    signedIn: true,
    again: 'same',
    response: firstSteps,
  }),
  called: endpoint({
    method: 'POST',
    path: '/canister/called',
    summary:
      'Tells that a canister of the user has answered a call that was made past this service, to the network itself',
    signedIn: true,
    again: 'same',
    body: z.object({ canister_id: z.string().min(1) }),
    response: firstSteps,
  }),
};

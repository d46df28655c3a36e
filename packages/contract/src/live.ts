import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * What something has changed about. It says what to ask for again and nothing of what is there, so that the ordinary calls decide who may
 * see it.
 */
export const liveSubject = z.discriminatedUnion('kind', [
  /** A deploy: its settings, canisters, pictures; or it is new, or gone. */
  z.object({ kind: z.literal('deploys'), id: z.string() }),
  /** A run of a deploy. */
  z.object({ kind: z.literal('run'), deploy_id: z.string(), id: z.string() }),
  /** A canister: status, code, settings, cycles by a payment, history; or it is new, or gone. */
  z.object({ kind: z.literal('canisters'), id: z.string() }),
  /** The account. */
  z.object({ kind: z.literal('balance') }),
  /** Repositories of the user, and what is in them. */
  z.object({ kind: z.literal('repositories') }),
  /** The marketplace, and with it what can be updated. */
  z.object({ kind: z.literal('dapps') }),
  /** More than can be told one by one, or the service may have missed something. */
  z.object({ kind: z.literal('all') }),
]);
export type LiveSubject = z.infer<typeof liveSubject>;

/** The event `changed`. A reader leaves out subjects of a kind that it does not know. */
export const liveChangedEvent = z.array(liveSubject);

/** The event `signed_out`: the session of the stream has ended, and the stream with it. */
export const liveSignedOutEvent = z.object({});

/** News of what the user sees. They take a session: an API token is for programs, which look when they need to. */
export const liveEndpoints = {
  events: endpoint({
    method: 'GET',
    path: '/live',
    summary:
      'What changes for the user, as events `changed` that say what to ask for again, until the session ends, which is the event `signed_out`. Nothing that changed before the stream was opened is told',
    signedIn: true,
    eventStream: true,
    response: z.union([liveChangedEvent, liveSignedOutEvent]),
  }),
};

import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Furthest that time is set ahead in one call, in seconds: a year. */
export const MAX_ADVANCE_SECONDS = 366 * 86_400;

/** What is at the place of a system canister; `foreign` is a canister that the network does not control, `empty` one without code. */
const systemCanisterState = z.enum(['running', 'stopping', 'stopped', 'empty', 'missing', 'foreign']);

/** The embedded network as it is now. */
export const embeddedNetwork = z.object({
  /** Where tools of this computer reach it, the first as good as any. */
  addresses: z.array(z.string()),
  /** The root key (DER) in hexadecimal. */
  root_key: z.string(),
  /** Time of the network, ISO 8601. */
  time: z.string(),
  /** By how many seconds it was set ahead of the computer's clock. */
  ahead_seconds: z.number(),
  /** Time is still on its way to what was asked for: timers that are due on the way fire one after another. */
  advancing: z.boolean(),
  /** Whether canisters may make HTTP requests. */
  outcalls: z.boolean(),
  /** Whether time and outcalls may be changed; not where others can reach the network. */
  controllable: z.boolean(),
  /** At the computer of the network only; null where it shows none. */
  dashboard_url: z.string().nullable(),
  metrics_url: z.string().nullable(),
  /** System canisters that the network was told to bring along. */
  services: z.array(z.object({ id: z.string(), state: systemCanisterState })),
});
export type EmbeddedNetwork = z.infer<typeof embeddedNetwork>;
export type SystemCanisterState = z.infer<typeof systemCanisterState>;

/** There only while the service runs on its embedded network (`embedded_network` of its configuration). */
export const networkEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/network',
    summary: 'The embedded network; 404 where the service uses another',
    signedIn: true,
    response: embeddedNetwork,
  }),
  advance: endpoint({
    method: 'POST',
    path: '/network/advance',
    summary:
      'Sets the time of the embedded network ahead, where only this computer can reach it; time never goes back',
    signedIn: true,
    body: z.object({ seconds: z.int().min(1).max(MAX_ADVANCE_SECONDS) }),
    response: embeddedNetwork,
  }),
  outcalls: endpoint({
    method: 'POST',
    path: '/network/outcalls',
    summary:
      'Lets canisters of the embedded network make HTTP requests or not, where only this computer can reach it',
    signedIn: true,
    again: 'same',
    body: z.object({ allowed: z.boolean() }),
    response: embeddedNetwork,
  }),
};

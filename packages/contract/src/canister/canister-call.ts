import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Encoded arguments of a call beyond this are refused; in hexadecimal they fit the body of a request. */
export const MAX_CALL_ARGUMENT_BYTES = 384 * 1024;

/** How long a call may wait for its outcome at most, in milliseconds; the network takes five minutes. */
export const LONGEST_CALL_MS = 4 * 60_000;

/** `()` in Candid. */
const NO_ARGUMENTS = '4449444c0000';

const principal = {
  /** Principal of the console, which has called. */
  caller: z.string(),
};

/** What became of a call that the console made. */
export const canisterCallOutcome = z.discriminatedUnion('status', [
  z.object({
    ...principal,
    status: z.literal('replied'),
    /** The Candid-encoded reply in hex. */
    reply_hex: z.string(),
    /** By how much the balance of the canister fell meanwhile, as decimal text; null for queries and where it did not. */
    cycles: z.string().nullable(),
  }),
  z.object({
    ...principal,
    status: z.literal('rejected'),
    /** Reject code of the IC interface specification; null when the network did not take the call at all. */
    reject_code: z.number().nullable(),
    /** Such as `IC0503`. */
    error_code: z.string().nullable(),
    reject_message: z.string(),
    cycles: z.string().nullable(),
  }),
  /** No outcome is known yet: the same request, sent again with its key and its `expires_at`, asks for it. */
  z.object({ ...principal, status: z.literal('pending') }),
]);
export type CanisterCallOutcome = z.infer<typeof canisterCallOutcome>;

export const canisterCallEndpoints = {
  call: endpoint({
    method: 'POST',
    path: '/canister/call',
    summary: 'Calls a method of a canister as the console, which controls it',
    signedIn: true,
    body: z.object({
      canister_id: z.string().min(1),
      /** Letter for letter as the canister exports it. */
      method: z.string().min(1).max(20_000),
      /** Candid-encoded arguments in hex. */
      argument_hex: z
        .string()
        .max(2 * MAX_CALL_ARGUMENT_BYTES, 'The arguments are too long.')
        .regex(/^([0-9a-fA-F]{2})*$/, 'The arguments must be bytes in hexadecimal.')
        .default(NO_ARGUMENTS),
      /** Asks one replica, which changes nothing. */
      as_query: z.boolean().default(false),
      /**
       * Until when the network may take the call, ISO 8601. With an `Idempotency-Key` it belongs to the name of the
       * request: the network knows a call by both. Chosen by the service where absent.
       */
      expires_at: z.iso.datetime().optional(),
    }),
    idempotent: true,
    response: canisterCallOutcome,
  }),
};

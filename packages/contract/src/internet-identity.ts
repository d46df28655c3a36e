import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Most delegations of a chain (interface specification, "Authentication"). */
const MOST_DELEGATIONS = 20;
/**
 * A key in DER and a signature, as base64: that of a canister is a certificate and two trees, some 5 kB at most. What is no base64 fits
 * nothing. This travels with every page, so it says no more than it must.
 */
const KEY = z.string().max(344);
const SIGNATURE = z.string().max(10_924);

/**
 * What a session key signs to sign in. It begins as nothing does that a network or another program takes for a signature, and names the
 * console that it is for.
 * @param origin of the console, as its pages see it
 */
export function signInMessage(origin: string, challenge: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`\u0013cannery web sign-in${origin}\n${challenge}`);
}

export const internetIdentityEndpoints = {
  challenge: endpoint({
    method: 'POST',
    path: '/auth/internet-identity/challenge',
    summary: 'A challenge for a key of Internet Identity, once, for 60 s and this browser',
    signedIn: false,
    withCookies: true,
    response: z.object({ challenge: z.string() }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/auth/internet-identity',
    summary: 'Exchanges the signed challenge for a bearer token',
    signedIn: false,
    withCookies: true,
    body: z.object({
      challenge: z.string().max(43),
      /** The key of the principal, in DER and base64. */
      public_key: KEY,
      /** From that key to the one that has signed the challenge. There is no place for targets: a delegation that has some is refused. */
      delegations: z
        .array(
          z.object({
            public_key: KEY,
            /** Unix time in nanoseconds. */
            expiration: z.string().regex(/^\d{1,20}$/),
            signature: SIGNATURE,
          }),
        )
        .min(1)
        .max(MOST_DELEGATIONS),
      /** Of the challenge, by the last key. */
      signature: SIGNATURE,
    }),
    response: z.object({ token: z.string() }),
  }),
};

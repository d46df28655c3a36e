import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Stretches of time a canister's balance is shown over; each ends now. Lengths in seconds. */
export const balanceRanges = {
  '24h': 86_400,
  '7d': 7 * 86_400,
  '30d': 30 * 86_400,
  '1y': 365 * 86_400,
} as const;
export type BalanceRange = keyof typeof balanceRanges;

const moment = z.object({
  /** ISO 8601, with milliseconds. */
  at: z.string(),
  /** Decimal text. */
  cycles: z.string(),
});

export const canisterBalances = z.object({
  /** What the canister had when it was looked at, oldest first. */
  samples: z.array(moment),
  /** What came from the account, oldest first. */
  top_ups: z.array(moment),
});
export type CanisterBalances = z.infer<typeof canisterBalances>;

export const balanceEndpoints = {
  balances: endpoint({
    method: 'GET',
    path: '/canister/balances/{id}',
    summary: 'Cycles of a canister over time, as the console has read them, and its top-ups',
    signedIn: true,
    params: z.object({ id: z.string().min(1) }),
    query: z.object({
      range: z.enum(Object.keys(balanceRanges) as [BalanceRange, ...BalanceRange[]]).default('24h'),
    }),
    response: canisterBalances,
  }),
};

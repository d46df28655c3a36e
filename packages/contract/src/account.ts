import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { entityOf, type ReadObject, rowsOf } from './texts/reading.ts';

/** 1 T = 1e12 cycles. */
export const CYCLES_PER_T = 1_000_000_000_000n;

export const insights = z.object({
  /** Cycles. A JSON number is exact up to 9,007 T; `balance_exact` always is. */
  balance: z.number(),
  balance_exact: z.string(),
  total_canisters: z.number(),
  canisters: z.number(),
});
export type Insights = ReadObject<z.infer<typeof insights>>;

export const transactionNames = ['CANISTER_TOPUP', 'CANISTER_CREATE', 'CYCLE_DEPOSIT'] as const;
export const transactionTypes = ['CREDIT', 'DEBIT'] as const;

export const transaction = z.object({
  id: z.string(),
  transaction_name: z.string(),
  transaction_type: z.string(),
  amount: z.number(),
  balance_before: z.number(),
  balance_after: z.number(),
  /**
   * JSON text that holds `canister_id` when the movement concerns a canister, and `ledger_block` and `ledger_fee` (cycles,
   * part of the amount) when a cycles ledger has paid.
   */
  transaction_meta: z.string().nullable(),
  created_at: z.string(),
});
export type Transaction = ReadObject<z.infer<typeof transaction>>;

export const accountEndpoints = {
  insights: endpoint({
    method: 'GET',
    path: '/getInsights/',
    summary: 'Cycle balance and canister count',
    signedIn: true,
    response: insights,
    reading: entityOf(insights),
  }),
  transactions: endpoint({
    method: 'GET',
    path: '/transactions/',
    summary: 'Movements of cycles, newest first',
    signedIn: true,
    response: z.array(transaction),
    reading: rowsOf(transaction),
  }),
};

/** An amount of cycles in T for a sentence, exact and without trailing zeros: 1.5 T. */
export function formatTrillions(cycles: bigint): string {
  const whole = cycles / CYCLES_PER_T;
  const fraction = (cycles % CYCLES_PER_T)
    .toString()
    .padStart(12, '0')
    .replace(/(?<!0)0+$/, '');
  return `${whole}${fraction === '' ? '' : `.${fraction}`} T`;
}

/** What is there to spend, in T for a sentence: 188.99 T. Cut after two decimals and not rounded, so that it never reads as more. */
export function spendableTrillions(cycles: bigint): string {
  const left = cycles < 0n ? 0n : cycles;
  return formatTrillions(left - (left % (CYCLES_PER_T / 100n)));
}

import type { Insights, Transaction } from '@cannery/contract';
import { cyclesInT, cyclesPlain, cyclesShort } from '../../lib/text/cycles.ts';
import { NOT_AVAILABLE } from '../../lib/text/formats.ts';

export interface InsightTexts {
  readonly balance: string;
  /** For a narrow place. */
  readonly shortBalance: string;
  /** Every digit, for the tooltip. */
  readonly exact: string;
  readonly count: string;
}

/** What the console shows of the insights; each part is N/A on its own when it is missing. */
export function insightTexts(insights: Partial<Insights> | undefined): InsightTexts {
  const balance = insights?.balance_exact ?? insights?.balance;
  const count = insights?.total_canisters ?? insights?.canisters;
  return {
    balance: cyclesInT(balance),
    shortBalance: cyclesShort(balance),
    exact: cyclesPlain(balance),
    count: count == null ? NOT_AVAILABLE : String(count),
  };
}

const names: ReadonlyMap<string, string> = new Map([
  ['CANISTER_TOPUP', 'CANISTER TOPUP'],
  ['CANISTER_CREATE', 'CANISTER CREATE'],
  ['CYCLE_DEPOSIT', 'CYCLE DEPOSIT'],
]);

/** The name of a transaction as the table shows it. */
export function transactionName(name: string | null): string {
  return names.get(name ?? '') ?? NOT_AVAILABLE;
}

/** The canister id in a transaction's JSON-encoded `transaction_meta`; undefined when there is none to read. */
export function transactionCanister({
  transaction_meta: meta,
}: Pick<Transaction, 'transaction_meta'>): string | undefined {
  if (meta === null) return undefined;
  try {
    const parsed: unknown = JSON.parse(meta);
    if (typeof parsed !== 'object' || parsed === null || !('canister_id' in parsed)) return undefined;
    return typeof parsed.canister_id === 'string' && parsed.canister_id !== ''
      ? parsed.canister_id
      : undefined;
  } catch {
    return undefined;
  }
}

import type { Insights } from '@cannery/contract';
import { cyclesInT, cyclesPlain } from '../../lib/cycles.ts';
import { NOT_AVAILABLE } from '../../lib/formats.ts';

export interface InsightTexts {
  readonly balance: string;
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
    exact: cyclesPlain(balance),
    count: count === undefined ? NOT_AVAILABLE : String(count),
  };
}

/** The insights after a canister has been created, until the service has counted again. */
export function withOneMoreCanister(insights: Insights | undefined): Insights | undefined {
  if (!insights) return undefined;
  return {
    ...insights,
    total_canisters: insights.total_canisters + 1,
    canisters: insights.canisters + 1,
  };
}

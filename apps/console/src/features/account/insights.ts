import type { Insights } from '@cannery/contract';
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

const oneMore = (count: number | null): number | null => (count === null ? null : count + 1);

/** The insights after a canister has been created, until the service has counted again. */
export function withOneMoreCanister(insights: Insights | undefined): Insights | undefined {
  if (!insights) return undefined;
  return {
    ...insights,
    total_canisters: oneMore(insights.total_canisters),
    canisters: oneMore(insights.canisters),
  };
}

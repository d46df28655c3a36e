import { useQuery } from '@tanstack/react-query';
import { readCycles } from '../../../lib/text/cycles.ts';
import { insightsQuery } from '../../../lib/shared/insights.ts';

/** The cycles left on the account; undefined before they are known and where the service does not tell them. */
export function useBalance(): bigint | undefined {
  const { data } = useQuery(insightsQuery);
  return readCycles(data?.balance_exact ?? data?.balance);
}

import type { Insights } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryKeys } from '../../lib/shared/query-keys.ts';

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

export interface AccountRefresh {
  /** Raises the canister count by one at once, then asks the service. */
  readonly canisterCreated: () => void;
  /** Asks the service again after cycles have moved or a canister has gone. */
  readonly balanceMoved: () => void;
}

export function useAccountRefresh(): AccountRefresh {
  const client = useQueryClient();
  return useMemo(() => {
    const balanceMoved = (): void => {
      void client.invalidateQueries({ queryKey: queryKeys.insights });
      void client.invalidateQueries({ queryKey: queryKeys.transactions });
    };
    return {
      balanceMoved,
      canisterCreated: () => {
        client.setQueryData<Insights>(queryKeys.insights, withOneMoreCanister);
        balanceMoved();
      },
    };
  }, [client]);
}

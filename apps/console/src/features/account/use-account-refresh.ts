import type { Insights } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { withOneMoreCanister } from './insights.ts';

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

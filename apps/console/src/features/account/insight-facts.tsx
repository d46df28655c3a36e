import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { Tooltip } from '../../components/ui/tooltip.tsx';
import { NOT_AVAILABLE } from '../../lib/text/formats.ts';
import { insightTexts } from './account-texts.ts';
import { insightsQuery } from '../../lib/shared/account.ts';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-2xl font-semibold tracking-tight">{children}</dd>
    </div>
  );
}

/** Balance and canister count of the account, large. */
export function InsightFacts() {
  const { data, isPending } = useQuery(insightsQuery);
  const texts = insightTexts(data);
  return (
    <dl className="flex flex-wrap gap-x-14 gap-y-4">
      <Fact label="Cycle balance">
        {isPending ? (
          <Skeleton className="my-1.5 h-6 w-28" />
        ) : (
          <Tooltip text={texts.exact === NOT_AVAILABLE ? NOT_AVAILABLE : `${texts.exact} cycles`}>
            <button type="button" className="cursor-default rounded-control">
              {texts.balance}
            </button>
          </Tooltip>
        )}
      </Fact>
      <Fact label="Canisters">{isPending ? <Skeleton className="my-1.5 h-6 w-10" /> : texts.count}</Fact>
    </dl>
  );
}

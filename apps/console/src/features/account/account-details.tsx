import { useQuery } from '@tanstack/react-query';
import { Box, Coins } from 'lucide-react';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { Tooltip } from '../../components/ui/tooltip.tsx';
import { NOT_AVAILABLE } from '../../lib/text/formats.ts';
import { insightTexts } from './account-texts.ts';
import { insightsQuery } from '../../lib/shared/account.ts';

const shortClass =
  'flex max-w-full cursor-default flex-col items-center gap-0.5 rounded-control px-0.5 font-semibold whitespace-nowrap';

/** The block before the first answer, as large as with it: N/A would say that there is nothing to come. */
function LoadingDetails({ narrow }: { narrow: boolean }) {
  if (narrow) {
    return (
      <section
        aria-label="Account Details"
        aria-busy="true"
        className="flex flex-col items-center gap-1.5 py-3"
      >
        <Skeleton className="h-8.5 w-10" />
        <Skeleton className="h-8.5 w-10" />
      </section>
    );
  }
  return (
    <section
      aria-label="Account Details"
      aria-busy="true"
      className="rounded-card border border-line bg-surface px-3.5 py-3"
    >
      <h2 className="text-xs font-medium text-muted">Account Details</h2>
      <div className="mt-2 flex flex-col gap-1">
        {['Balance', 'Canisters'].map((label) => (
          <div key={label} className="flex h-5 items-center justify-between">
            <span className="text-sm text-muted">{label}</span>
            <Skeleton className="w-12" />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The 'Account Details' block of the sidebar; `narrow` when the sidebar is collapsed. */
export function AccountDetails({ narrow }: { narrow: boolean }) {
  const { data, isPending } = useQuery(insightsQuery);
  const { balance, shortBalance, exact, count } = insightTexts(data);
  if (isPending) return <LoadingDetails narrow={narrow} />;
  const amount = (
    <Tooltip text={exact} side="right">
      <button type="button" className="cursor-default rounded-control font-semibold">
        {balance}
      </button>
    </Tooltip>
  );
  if (narrow) {
    return (
      <section aria-label="Account Details" className="flex flex-col items-center gap-1.5 py-3 text-xs">
        <Tooltip text={`Balance: ${exact === NOT_AVAILABLE ? exact : `${exact} cycles`}`} side="right">
          <button type="button" aria-label={`Balance ${balance}`} className={shortClass}>
            <Coins className="size-4 text-muted" strokeWidth={1.75} aria-hidden="true" />
            {shortBalance}
          </button>
        </Tooltip>
        <Tooltip text={`Canisters: ${count}`} side="right">
          <button type="button" aria-label={`Canisters ${count}`} className={shortClass}>
            <Box className="size-4 text-muted" strokeWidth={1.75} aria-hidden="true" />
            {count}
          </button>
        </Tooltip>
      </section>
    );
  }
  return (
    <section aria-label="Account Details" className="rounded-card border border-line bg-surface px-3.5 py-3">
      <h2 className="text-xs font-medium text-muted">Account Details</h2>
      <dl className="mt-2 flex flex-col gap-1">
        <div className="flex justify-between">
          <dt className="text-sm text-muted">Balance</dt>
          <dd>{amount}</dd>
        </div>
        <div className="flex justify-between">
          <dt className="text-sm text-muted">Canisters</dt>
          <dd className="font-semibold">{count}</dd>
        </div>
      </dl>
    </section>
  );
}

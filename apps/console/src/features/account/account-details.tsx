import { useQuery } from '@tanstack/react-query';
import { Tooltip } from '../../components/ui/tooltip.tsx';
import { insightTexts } from './insights.ts';
import { insightsQuery } from './queries.ts';

/** The 'Account Details' block of the sidebar; `narrow` when the sidebar is collapsed. */
export function AccountDetails({ narrow }: { narrow: boolean }) {
  const { data } = useQuery(insightsQuery);
  const { balance, exact, count } = insightTexts(data);
  const amount = (
    <Tooltip text={exact} side="right">
      <button type="button" className="cursor-default rounded-control font-semibold">
        {balance}
      </button>
    </Tooltip>
  );
  if (narrow) return <div className="px-1 py-3 text-center text-xs">{amount}</div>;
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

import { useQuery } from '@tanstack/react-query';
import { insightsQuery } from '../../../lib/shared/account.ts';
import { cyclesExact, cyclesInT, readCycles } from '../../../lib/text/cycles.ts';

/** The cycles left on the account; undefined before they are known and where the service does not tell them. */
export function useBalance(): bigint | undefined {
  const { data } = useQuery(insightsQuery);
  return readCycles(data?.balance_exact ?? data?.balance);
}

interface BalanceAfterProps {
  /** Cycles that a payment takes; undefined while they are not known. */
  readonly cost: bigint | undefined;
}

function Amount({ cycles }: { cycles: bigint }) {
  return <b title={`${cyclesExact(`${cycles}`)} cycles`}>{cyclesInT(`${cycles}`)}</b>;
}

/** What is on the account before and after a payment, as tall before it is known; nothing stops a payment here, the service does. */
export function BalanceAfter({ cost }: BalanceAfterProps) {
  const balance = useBalance();
  const covers = balance === undefined || cost === undefined || balance >= cost;
  return (
    <p
      role="status"
      className={`min-h-5 text-sm [&_b]:font-semibold [&_b]:whitespace-nowrap ${covers ? 'text-muted [&_b]:text-ink' : 'text-bad'}`}
    >
      {balance !== undefined && cost === undefined && (
        <>
          Your balance: <Amount cycles={balance} />
        </>
      )}
      {balance !== undefined && cost !== undefined && (
        <>
          Your balance: <Amount cycles={balance} />,{' '}
          {covers ? (
            <>
              <Amount cycles={balance - cost} /> after this
            </>
          ) : (
            <>
              <Amount cycles={cost - balance} /> too little for this
            </>
          )}
        </>
      )}
    </p>
  );
}

import { cyclesExact, cyclesInT } from '../../../lib/text/cycles.ts';
import { useBalance } from './use-balance.ts';

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

import { useQuery } from '@tanstack/react-query';
import { balanceHistory, stepPath } from './balance-history.ts';
import { transactionsQuery } from './queries.ts';

const WIDTH = 320;
const HEIGHT = 56;

/** The course of the balance over all movements. */
export function BalanceLine() {
  const { data = [] } = useQuery(transactionsQuery);
  const path = stepPath(balanceHistory(data), WIDTH, HEIGHT);
  if (path === '') return null;
  return (
    <svg
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Balance over ${data.length} movements`}
      className="h-15 w-full"
    >
      <path d={`${path}V${HEIGHT}H0Z`} className="fill-accent/10" />
      <path
        d={path}
        fill="none"
        className="stroke-accent"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

import { useQuery } from '@tanstack/react-query';
import { linePath } from '../../../components/chart/chart-scale.ts';
import { canisterBalancesQuery } from '../api/queries.ts';

const WIDTH = 112;
const HEIGHT = 28;
const MARGIN = 2;

/** The cycles of a canister over the last seven days as a line without axes, as long as its readings are old. */
export function CyclesSpark({ canisterId }: { canisterId: string }) {
  const { data } = useQuery(canisterBalancesQuery(canisterId, '7d'));
  const points = (data?.samples ?? []).map(({ at, cycles }) => ({
    at: Date.parse(at),
    value: Number(cycles),
    text: '',
  }));
  const [first, last] = [points[0], points.at(-1)];
  const isLine = first !== undefined && last !== undefined && last.at > first.at;
  // From zero: without an axis beside it, half as high is to mean half as much.
  const high = Math.max(1, ...points.map(({ value }) => value));
  const place = {
    x: (at: number) => (isLine ? ((at - first.at) / (last.at - first.at)) * WIDTH : 0),
    y: (value: number) => HEIGHT - MARGIN - (value / high) * (HEIGHT - 2 * MARGIN),
  };
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      data-spark
      className="block shrink-0 overflow-visible"
    >
      {isLine ? (
        <path
          d={linePath(points, place, last.at)}
          fill="none"
          strokeWidth="1.5"
          strokeLinejoin="round"
          className="stroke-accent"
        />
      ) : (
        <line
          x1="0"
          x2={WIDTH}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          strokeDasharray="2 4"
          className="stroke-control"
        />
      )}
    </svg>
  );
}

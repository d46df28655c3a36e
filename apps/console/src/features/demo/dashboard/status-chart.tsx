import { arc, pie } from 'd3-shape';
import { statuses } from './dashboard-content.ts';

type Status = (typeof statuses)[number];

const ring = arc<{ startAngle: number; endAngle: number }>()
  .innerRadius(62)
  .outerRadius(96)
  .padAngle(0.02)
  .cornerRadius(3);
const slices = pie<Status>()
  .value(({ count }) => count)
  .sort(null)([...statuses]);
const total = statuses.reduce((sum, { count }) => sum + count, 0);
const share = (count: number): string => `${Math.round((count / total) * 100)}%`;

/** A ring with a slice for each status, and their numbers beside it. */
export function StatusChart() {
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-8 gap-y-4 px-5 pb-5">
      <svg
        viewBox="-100 -100 200 200"
        role="img"
        aria-label={statuses.map(({ name, count }) => `${name} ${count}`).join(', ')}
        className="size-48 animate-entrance"
      >
        {slices.map(({ data, startAngle, endAngle }) => (
          <path key={data.name} d={ring({ startAngle, endAngle }) ?? ''} style={{ fill: data.color }}>
            <title>{`${data.name}: ${data.count}`}</title>
          </path>
        ))}
        <text textAnchor="middle" y="4" className="fill-ink text-2xl font-semibold">
          {total}
        </text>
        <text textAnchor="middle" y="22" className="fill-muted text-xs">
          jobs
        </text>
      </svg>
      <ul aria-label="Statuses" className="min-w-40 flex-1">
        {statuses.map(({ name, count, color }) => (
          <li key={name} className="flex items-center gap-2.5 py-1.5">
            <span className="size-2.5 shrink-0 rounded-full" style={{ background: color }} />
            <span className="flex-1">{name}</span>
            <span className="font-medium">{count}</span>
            <span className="w-10 text-right text-sm text-muted">{share(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

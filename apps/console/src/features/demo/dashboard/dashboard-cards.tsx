import { arc, pie } from 'd3-shape';
import { useState } from 'react';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Tabs } from '../../../components/ui/tabs.tsx';
import { type Area, areas, folders, statuses } from './dashboard-content.ts';

function Folder({ name, files }: { name: string; files: number }) {
  return (
    <li className="flex items-center gap-3 rounded-card border border-line px-3.5 py-3">
      <svg viewBox="0 0 24 20" className="h-5 shrink-0 fill-accent" aria-hidden="true">
        <path d="M2 0h7l2.5 3H22a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2z" />
      </svg>
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-sm text-muted">{files} files</span>
      </span>
    </li>
  );
}

/** Folders of three areas; each tab says how many it has. */
export function FoldersCard() {
  const [area, setArea] = useState<Area>('Work');
  return (
    <Card aria-label="Folders" className="animate-entrance">
      <CardHeader title="Folders" />
      <div className="px-5 pb-5">
        <Tabs
          label="Areas"
          value={area}
          onChange={setArea}
          tabs={areas.map((value) => ({
            value,
            label: (
              <>
                {value}{' '}
                <span className="ml-1 rounded-full bg-sunken px-2 py-0.5 text-xs text-muted">
                  {folders[value].length}
                  <span className="sr-only"> folders</span>
                </span>
              </>
            ),
            content: (
              <ul aria-label={`Folders of ${value}`} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
                {folders[value].map((folder) => (
                  <Folder key={folder.name} {...folder} />
                ))}
              </ul>
            ),
          }))}
        />
      </div>
    </Card>
  );
}

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

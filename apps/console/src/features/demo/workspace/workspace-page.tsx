import { useState } from 'react';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Tabs } from '../../../components/ui/tabs.tsx';
import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { CheckList } from '../check-list.tsx';
import { CalendarCard } from './calendar-card.tsx';
import { files, media, type Period, periods, projects, tasks, views } from './workspace-content.ts';

function FilesCard() {
  return (
    <Card aria-label="Files" className="animate-entrance">
      <CardHeader title="Files" note={files.length} />
      <ul>
        {files.map(({ name, kind, size }) => (
          <li key={name} className="flex items-center gap-3 border-t border-line px-5 py-2.5">
            <span
              aria-hidden="true"
              className="grid size-9 shrink-0 place-items-center rounded-control bg-accent-soft font-mono text-xs font-medium text-accent"
            >
              {name.slice(name.lastIndexOf('.') + 1)}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block text-sm text-muted">{kind}</span>
            </span>
            <span className="text-sm text-muted">{size}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function MediaCard() {
  return (
    <Card aria-label="Media" className="animate-entrance">
      <CardHeader title="Media" />
      <dl className="grid grid-cols-2 gap-px border-t border-line bg-line">
        {media.map(({ kind, count }) => (
          <div
            key={kind}
            className="flex flex-col-reverse bg-surface px-5 py-4 last:rounded-br-card nth-3:rounded-bl-card"
          >
            <dt className="text-sm text-muted">{kind}</dt>
            <dd className="text-2xl font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function ProjectsCard() {
  return (
    <Card aria-label="Projects" className="animate-entrance">
      <CardHeader title="Projects" note={projects.length} />
      <ul>
        {projects.map(({ name, note, done }) => (
          <li key={name} className="border-t border-line px-5 py-3">
            <p className="flex items-baseline justify-between gap-3">
              <span className="font-medium">{name}</span>
              <span className="text-sm text-muted">{done}%</span>
            </p>
            <p className="text-sm text-muted">{note}</p>
            <div
              role="progressbar"
              aria-label={name}
              aria-valuenow={done}
              aria-valuemin={0}
              aria-valuemax={100}
              className="mt-2 h-1.5 overflow-hidden rounded-full bg-ink/10"
            >
              <div className="h-full rounded-full bg-accent" style={{ width: `${done}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function TasksCard() {
  const [period, setPeriod] = useState<Period>('Today');
  return (
    <Card aria-label="Tasks" className="animate-entrance pb-2">
      <CardHeader title="Tasks" />
      <div className="-mt-2 *:data-[orientation]:px-0">
        <Tabs
          label="Tasks by time"
          value={period}
          onChange={setPeriod}
          tabs={periods.map((value) => ({
            value,
            label: value,
            content: (
              <div className="-mt-5">
                <CheckList label={value} items={tasks[value]} />
              </div>
            ),
          }))}
        />
      </div>
    </Card>
  );
}

const mostViews = Math.max(...views.days.map(([, count]) => count));

function ViewsCard() {
  return (
    <Card aria-label="Views" className="animate-entrance">
      <CardHeader title="Views" note="in a week" />
      <div className="px-5 pb-5">
        <p className="text-2xl font-semibold">{views.total}</p>
        <p className="text-sm text-muted">{views.change}</p>
        <ul className="mt-4 flex h-28 items-end gap-2">
          {views.days.map(([day, count]) => (
            <li key={day} className="flex h-full flex-1 flex-col justify-end gap-1 text-center">
              <span className="sr-only">{`${count} views on`}</span>
              <span aria-hidden="true" className="relative flex-1">
                <span
                  title={String(count)}
                  className="absolute inset-x-0 bottom-0 rounded-t-control bg-accent"
                  style={{ height: `${(count / mostViews) * 100}%` }}
                />
              </span>
              <span className="text-xs text-muted">{day}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

/** The template profile: cards with sample content. */
export function WorkspacePage() {
  usePageTitle('Sample profile');
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">Sample profile</h1>
      <div className="grid items-start gap-5 lg:grid-cols-3">
        <div className="flex flex-col gap-5 lg:col-span-2">
          <CalendarCard />
          <div className="grid items-start gap-5 md:grid-cols-2">
            <TasksCard />
            <ProjectsCard />
          </div>
        </div>
        <div className="flex flex-col gap-5">
          <ViewsCard />
          <FilesCard />
          <MediaCard />
        </div>
      </div>
    </>
  );
}

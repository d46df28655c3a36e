import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { CalendarCard } from './calendar-card.tsx';
import { FilesCard, MediaCard, ProjectsCard, TasksCard, ViewsCard } from './workspace-cards.tsx';

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

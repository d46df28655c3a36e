import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { paths } from '../../config/paths.ts';
import { countRunning } from './canister-state.ts';
import { canistersQuery } from './queries.ts';

/** How many canisters run and how many do not; a failing call shows as none. */
export function StatusCounts() {
  const { data = [], isPending } = useQuery(canistersQuery);
  const { running, others } = countRunning(data);
  if (isPending) return <Skeleton className="h-20 w-full" />;
  return (
    <div className="flex flex-col gap-4">
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        className="h-2 w-full overflow-hidden rounded-full"
        aria-hidden="true"
      >
        <rect width="100" height="6" className="fill-line" />
        {data.length > 0 && (
          <>
            <rect width="100" height="6" className="fill-warn" />
            <rect width={(running / data.length) * 100} height="6" className="fill-ok" />
          </>
        )}
      </svg>
      <dl className="grid grid-cols-2 gap-4">
        <div>
          <dt className="flex items-center gap-2 text-sm text-muted">
            <span className="size-2 rounded-full bg-ok" /> Running
          </dt>
          <dd className="mt-1 text-xl font-semibold">{running}</dd>
        </div>
        <div>
          <dt className="flex items-center gap-2 text-sm text-muted">
            <span className="size-2 rounded-full bg-warn" /> Stopped
          </dt>
          <dd className="mt-1 text-xl font-semibold">{others}</dd>
        </div>
      </dl>
      <Link to={paths.canisters} className="text-sm text-accent hover:underline">
        All canisters
      </Link>
    </div>
  );
}

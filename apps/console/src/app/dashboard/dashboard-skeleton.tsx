import { Card } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';

/** The dashboard before it is known what there is to show. */
export function DashboardSkeleton() {
  return (
    <div role="status" aria-label="Loading dashboard" className="flex flex-col gap-5">
      <Card>
        <Skeleton className="mx-5 my-5 h-5 w-24" />
        {['first', 'second', 'third', 'fourth'].map((row) => (
          <div key={row} className="flex h-16 items-center justify-between gap-5 border-t border-line px-5">
            <Skeleton className="h-8 w-48" />
            <Skeleton className="h-6 w-20" />
          </div>
        ))}
      </Card>
      <Card className="flex h-92 flex-col gap-5 p-5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-14 w-64" />
        <Skeleton className="h-52 w-full" />
      </Card>
    </div>
  );
}

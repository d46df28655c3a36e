import { CircleCheck, CircleX } from 'lucide-react';
import { Spinner } from '../../components/ui/spinner.tsx';

/** The state of a run as a sign: green tick, red cross or spinner. */
export function RunMark({ status }: { status: string }) {
  if (status === 'COMPLETED') {
    return <CircleCheck role="img" aria-label="Completed" className="size-5 shrink-0 text-ok" />;
  }
  if (status === 'FAILED')
    return <CircleX role="img" aria-label="Failed" className="size-5 shrink-0 text-bad" />;
  return <Spinner label="Deploying" className="mx-0.5 text-info" />;
}

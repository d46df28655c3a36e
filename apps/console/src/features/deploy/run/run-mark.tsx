import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { Spinner } from '../../../components/ui/spinner.tsx';

/** The state of a run as a sign: green tick, red cross or spinner; a question mark where it is missing. */
export function RunMark({ status }: { status: string | null }) {
  if (status === 'COMPLETED') {
    return <CircleCheck role="img" aria-label="Completed" className="size-5 shrink-0 text-ok" />;
  }
  if (status === 'FAILED')
    return <CircleX role="img" aria-label="Failed" className="size-5 shrink-0 text-bad" />;
  if (status === null)
    return <CircleHelp role="img" aria-label="Status N/A" className="size-5 shrink-0 text-muted" />;
  return <Spinner label="Deploying" className="mx-0.5 text-info" />;
}

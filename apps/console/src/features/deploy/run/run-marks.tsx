import type { DeployInstance } from '@cannery/contract';
import { CircleCheck, CircleHelp, CircleX, Tag } from 'lucide-react';
import { Chip } from '../../../components/ui/chip.tsx';
import { Spinner } from '../../../components/ui/spinner.tsx';
import { ago, instanceDate } from '../../../lib/text/formats.ts';
import { notDeployedText, partText, triggerText } from '../api/instances.ts';

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

/** The mark of the one run whose result is served. */
export function LiveMark() {
  return <Chip tone="ok">Live</Chip>;
}

/** The small print of a run: its tag, who has written its commit, what it deploys, what has started it, how long it took and when. */
export function RunFacts({ run }: { run: DeployInstance }) {
  const trigger = triggerText(run);
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">
      <RunTag run={run} />
      <RunAuthor run={run} />
      <RunPart run={run} />
      <RunLeftOut run={run} />
      {trigger !== null && <span className="whitespace-nowrap">{trigger}</span>}
      {run.duration !== null && (
        <span title="Duration" className="whitespace-nowrap tabular-nums">
          {run.duration}s
        </span>
      )}
      <span title={ago(run.created_at)} className="whitespace-nowrap tabular-nums">
        {instanceDate(run.created_at)}
      </span>
    </span>
  );
}

/** What a live run leaves out of the project; nothing where it has deployed all of it. */
function RunLeftOut({ run }: { run: DeployInstance }) {
  const text = notDeployedText(run);
  if (text === null) return null;
  return (
    <span title={text} className="min-w-0 text-sm text-warn wrap-anywhere max-sm:basis-full sm:truncate">
      {text}
    </span>
  );
}

/** Which part of the project a run deploys; nothing for the whole project. */
function RunPart({ run }: { run: DeployInstance }) {
  const text = partText(run);
  if (text === null) return null;
  return (
    <span title={text} className="max-w-48 truncate text-sm text-muted sm:max-w-64">
      {text}
    </span>
  );
}

/** The tag that a run builds; nothing for the branch. */
function RunTag({ run: { tag } }: { run: DeployInstance }) {
  if (!tag) return null;
  return (
    <span className="flex max-w-48 min-w-0 items-center gap-1 text-sm text-muted">
      <Tag className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="sr-only">Tag</span>
      <span title={tag} className="truncate font-mono">
        {tag}
      </span>
    </span>
  );
}

/** Who has written the commit of a run; nothing until it is known. */
function RunAuthor({ run: { commit_author: author } }: { run: DeployInstance }) {
  if (!author) return null;
  return (
    <span title={`Author: ${author}`} className="max-w-40 truncate text-sm text-muted">
      {author}
    </span>
  );
}

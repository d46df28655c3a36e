import type { DeployInstance } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { comparisonQuery } from '../api/run-actions.ts';

interface RunComparisonDialogProps {
  readonly run: DeployInstance;
  /** The run whose result is live. */
  readonly live: DeployInstance;
  readonly onClose: () => void;
}

/** Sign and word for how a file differs. */
const changeTexts = {
  added: { sign: '+', text: 'only in this run', look: 'text-ok' },
  changed: { sign: '~', text: 'different', look: 'text-info' },
  removed: { sign: '\u2212', text: 'only in what is live', look: 'text-bad' },
} as const;

/** Shows which files of a run's commit differ from those of what is live; each leads to its text. */
export function RunComparisonDialog({ run, live, onClose }: RunComparisonDialogProps) {
  const { data, error, refetch } = useQuery(comparisonQuery(run, live.id));
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={`${run.commit_id?.slice(0, 7) ?? 'This run'} beside what is live`}
      description={
        <>
          Live is <span className="font-mono">{live.commit_id?.slice(0, 7)}</span> {live.commit_message}
        </>
      }
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {data === undefined && error === null && (
        <div role="status" aria-label="Comparing" className="flex flex-col gap-2 py-2">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title="The commits cannot be compared."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      )}
      {data !== undefined && <ChangedFiles comparison={data} />}
    </Dialog>
  );
}

type Comparison = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof comparisonQuery>['queryFn']>>>
>;

function ChangedFiles({
  comparison: { owner, repo, from, to, files, more_files: more },
}: {
  comparison: Comparison;
}) {
  const listed = files ?? [];
  if (listed.length === 0) {
    return (
      <p className="py-2 text-muted">
        No file differs that git can tell of. One of the commits may be gone, or too much differs to be
        listed.
      </p>
    );
  }
  return (
    <>
      <ul aria-label="Files that differ" className="divide-y divide-line rounded-card border border-line">
        {listed.map(({ path, change }, place) => {
          const { sign, text, look } = changeTexts[readChange(change)];
          const commit = change === 'removed' ? from : to;
          return (
            <li key={path ?? place} className="flex min-h-10 items-center gap-3 px-3.5 py-1">
              <span aria-hidden="true" className={`w-3 text-center font-mono ${look}`}>
                {sign}
              </span>
              <Link
                to="/$owner/$repo/code/$commit/$"
                params={{ owner: owner ?? '', repo: repo ?? '', commit: commit ?? '', _splat: path ?? '' }}
                preload={false}
                className="min-w-0 flex-1 py-1 font-mono text-sm break-all [unicode-bidi:isolate] hover:text-accent hover:underline"
              >
                {path}
              </Link>
              <span className="text-sm whitespace-nowrap text-muted">{text}</span>
            </li>
          );
        })}
      </ul>
      {more && <p className="mt-2 text-sm text-muted">More files differ than are listed here.</p>}
    </>
  );
}

const readChange = (change: string | null): keyof typeof changeTexts =>
  change === 'added' || change === 'removed' ? change : 'changed';

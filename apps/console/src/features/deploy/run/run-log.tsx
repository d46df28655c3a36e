import { type DeployInstance, isFinished } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Notice } from '../../../components/ui/notice.tsx';
import { useStore } from '../../../lib/browser/store.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { instanceLog, waitingText } from '../api/instances.ts';
import { logFeed } from '../log/log-feed.ts';
import { logOfText, type LogSnapshot, plainText } from '../log/log-model.ts';
import { LogView } from '../log/log-view.tsx';
import { CancelRunButton, PublishAnywayButton } from './run-buttons.tsx';
import { RunPhases } from './run-phases.tsx';

const FAILED = 'Failed: ';

interface RunFailureProps {
  readonly run: DeployInstance;
  readonly log: LogSnapshot;
  /** What can be done about it at once. */
  readonly action?: ReactNode;
}

/**
 * Why a run failed and what to do next, as the service says it in the last line of the log. One that was refused for an
 * interface can be published from here.
 */
function RunFailure({ run, log, action }: RunFailureProps) {
  const last = plainText(log.lines[log.count - 1] ?? '');
  if (run.status !== 'FAILED' || !last.startsWith(FAILED)) return null;
  const text = last.slice(FAILED.length);
  const awaits = run.awaits_approval === true;
  return (
    <div className="px-5 pb-4">
      <Notice tone="bad" title="This run failed">
        <p className="mt-0.5 wrap-anywhere">{text.charAt(0).toUpperCase() + text.slice(1)}</p>
        {(action || awaits) && (
          <div className="mt-2.5 mb-1 flex flex-wrap gap-2">
            {awaits && <PublishAnywayButton run={run} reason={text} />}
            {action}
          </div>
        )}
      </Notice>
    </div>
  );
}

/**
 * The log of a run: what its stream has brought, or what the polls have, where that is more. A service without such a
 * stream is only polled.
 */
function useLog(run: DeployInstance): { log: LogSnapshot; isLoading: boolean } {
  const client = useQueryClient();
  const { id: instanceId, deploy_id: id } = run;
  const feed = useMemo(() => logFeed({ id: id ?? '', instanceId }), [id, instanceId]);
  const { log, isOff, isOver } = useStore(feed);
  const text = instanceLog(run);
  const polled = useMemo(() => logOfText(text), [text]);

  // A poll that relied on the stream has left the log out, and after the end of a run there is no other poll.
  const isLeftOut = isOff && run.logs === null && isFinished(run.status);
  useEffect(() => {
    if (isLeftOut)
      void client.invalidateQueries({ queryKey: queryKeys.instance(id ?? '', instanceId), exact: true });
  }, [client, id, instanceId, isLeftOut]);

  // A poll without the log tells nothing of it while the stream may still bring it.
  const isLoading = !isOff && !isOver;
  const knows = run.logs !== null || !isLoading;
  // A service that says of a failed run that it has no log is taken at its word.
  const hasNone = run.status === 'FAILED' && run.logs === '';
  return { log: hasNone || (knows && polled.count > log.count) ? polled : log, isLoading };
}

/** What the check of the websites of a run found. */
function SiteWarnings({ run }: { run: DeployInstance }) {
  const warnings = run.warnings ?? [];
  if (warnings.length === 0) return null;
  return (
    <div className="px-5 pb-4">
      <Notice
        tone="warn"
        title={
          warnings.length === 1
            ? 'The site check has a warning'
            : `The site check has ${warnings.length} warnings`
        }
      >
        <ul className="mt-1 flex flex-col gap-1.5">
          {warnings.map(({ text, files, more }, place) => (
            <li key={place} className="wrap-anywhere">
              {text}
              <ul className="mt-0.5 font-mono text-[12px] text-muted">
                {(files ?? []).map((file, at) => (
                  <li key={at}>{file}</li>
                ))}
                {(more ?? 0) > 0 && <li>and {more} more</li>}
              </ul>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

/**
 * Why a run that has not begun waits, and for one that is not over the way to cancel it.
 * @param hasBegun whether its log has lines: they come at once, the state with the next poll
 */
function RunWaiting({ run, hasBegun }: { run: DeployInstance; hasBegun: boolean }) {
  if (run.id === '' || run.status === null || isFinished(run.status)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-2.5">
      <p role="status" className="min-w-0 flex-1 text-sm text-muted">
        {run.status === 'SCHEDULED' && !hasBegun ? waitingText(run.waiting) : ''}
      </p>
      <CancelRunButton run={run} />
    </div>
  );
}

interface RunLogProps {
  /** Named by the button that opens it. */
  readonly id: string;
  readonly run: DeployInstance;
  readonly expanded: boolean;
  /** What can be done with the run. */
  readonly actions?: ReactNode;
  /** What can be done at once about its failure. */
  readonly afterFailure?: ReactNode;
}

/** As tall as phases and log together, so that the runs below it stay where they are. */
function LoadingLog() {
  return (
    <p
      role="status"
      className="h-[calc(50vh+6rem)] bg-log px-4 py-3 font-mono text-[12.5px] leading-5 text-log-muted"
    >
      Loading the log…
    </p>
  );
}

/** What a run says of itself: how far it is, why it failed, and its log. */
function OpenLog({ run, actions, afterFailure }: Pick<RunLogProps, 'run' | 'actions' | 'afterFailure'>) {
  const { log, isLoading } = useLog(run);
  const isOver = isFinished(run.status);
  // Phases and cause are read from the log: shown before it, the log would be pushed down by them.
  if (isOver && isLoading && log.count === 0) return <LoadingLog />;
  return (
    <>
      <RunWaiting run={run} hasBegun={log.count > 0} />
      <RunPhases run={run} log={log} />
      <RunFailure run={run} log={log} action={afterFailure} />
      <SiteWarnings run={run} />
      {actions}
      <LogView
        log={log}
        deployId={run.deploy_id ?? ''}
        runId={run.id}
        waiting={isOver ? 'This run wrote no log.' : 'Waiting for the first line…'}
      />
    </>
  );
}

/** The log of a run, where its button opens it. */
export function RunLog({ id, run, expanded, ...rest }: RunLogProps) {
  return (
    <div id={id} hidden={!expanded}>
      {expanded && <OpenLog run={run} {...rest} />}
    </div>
  );
}

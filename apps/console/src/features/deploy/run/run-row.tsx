import type { DeployInstance } from '@cannery/contract';
import type { MouseEvent, ReactNode } from 'react';
import { ExpandMark } from '../../../components/ui/expand-mark.tsx';
import { opensTab } from '../../../lib/browser/opens-tab.ts';
import { LiveMark, RunFacts, RunMark } from './run-marks.tsx';
import { runAddress } from './use-show-run.ts';

interface RunRowProps {
  readonly run: DeployInstance;
  /** Id of the log that the row opens. */
  readonly panel: string;
  readonly expanded: boolean;
  readonly onToggle: () => void;
  readonly isLive: boolean;
  /** What the run is called. */
  readonly title: ReactNode;
}

/** A run in two lines, as the button that opens and closes its log; with Ctrl, Cmd or the middle button its page opens in a tab. */
export function RunRow({ run, panel, expanded, onToggle, isLive, title }: RunRowProps) {
  const openTab = (): void => {
    window.open(runAddress(run.deploy_id ?? '', run.id), '_blank', 'noopener,noreferrer');
  };
  const press = (event: MouseEvent): void => {
    if (opensTab(event) && run.id !== '') openTab();
    else onToggle();
  };
  return (
    <button
      type="button"
      aria-expanded={expanded}
      aria-controls={panel}
      onClick={press}
      onAuxClick={(event) => event.button === 1 && run.id !== '' && openTab()}
      className="flex min-h-14 min-w-0 flex-1 items-center gap-3 py-2.5 pr-2 pl-5 text-left outline-offset-[-2px] max-sm:items-start max-sm:gap-2.5 max-sm:pr-0 max-sm:pl-4"
    >
      <RunMark status={run.status} />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5">
          {title}
          <span
            className="min-w-0 flex-1 truncate max-sm:order-last max-sm:basis-full"
            title={run.commit_message ?? undefined}
          >
            {run.commit_message}
          </span>
          {isLive && <LiveMark />}
        </span>
        <RunFacts run={run} />
      </span>
      <span className="max-sm:mt-1">
        <ExpandMark expanded={expanded} />
      </span>
    </button>
  );
}

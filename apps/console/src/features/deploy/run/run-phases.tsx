import type { DeployInstance, RunPhase } from '@cannery/contract';
import { Check, Minus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Spinner } from '../../../components/ui/spinner.tsx';
import { classNames } from '../../../lib/class-names.ts';
import type { LogSnapshot } from '../log/log-model.ts';
import { clockText, phaseCourse, type PhaseStep } from '../log/phase-course.ts';

const names: Record<RunPhase, string> = {
  checkout: 'Checkout',
  packages: 'Packages',
  build: 'Build',
  publish: 'Publish',
};
const words: Record<PhaseStep['state'], string> = {
  done: 'done',
  running: 'under way',
  failed: 'stopped here',
  waiting: 'to come',
  skipped: 'not needed',
};
const bars: Record<PhaseStep['state'], string> = {
  done: 'bg-ok',
  running: 'bg-info',
  failed: 'bg-bad',
  waiting: 'bg-line',
  skipped: 'bg-line',
};
const TICK_MS = 1_000;

function Mark({ state }: { state: PhaseStep['state'] }) {
  if (state === 'done') return <Check aria-hidden="true" className="size-3.5 shrink-0 text-ok" />;
  if (state === 'failed') return <X aria-hidden="true" className="size-3.5 shrink-0 text-bad" />;
  if (state === 'running') return <Spinner className="size-3.5 text-info" />;
  return <Minus aria-hidden="true" className="size-3.5 shrink-0 text-muted" />;
}

/** The time since a moment, counting. */
function Clock({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return clockText(Math.max(0, now - since));
}

/** The phases of a run side by side, each with the time it took or takes. */
export function RunPhases({ run, log }: { run: DeployInstance; log: LogSnapshot }) {
  const steps = phaseCourse(run.status, log);
  if (steps.length === 0) return null;
  return (
    <ol aria-label="Phases" className="grid grid-cols-4 gap-1.5 px-5 pt-1 pb-4 max-sm:gap-1">
      {steps.map(({ phase, state, startedAt, took }) => (
        <li key={phase} data-state={state} className="min-w-0">
          <span
            aria-hidden="true"
            className={classNames(
              'block h-1.5 rounded-full',
              bars[state],
              state === 'running' && 'motion-safe:animate-pulse',
            )}
          />
          <span className="mt-1.5 flex flex-wrap items-center gap-x-1.5 text-xs">
            <Mark state={state} />
            <span className={state === 'waiting' || state === 'skipped' ? 'text-muted' : 'font-medium'}>
              {names[phase]}
            </span>
            <span className="sr-only">{words[state]}</span>
            <span className="text-muted tabular-nums">
              {took !== undefined && clockText(took)}
              {state === 'running' && startedAt !== undefined && <Clock since={startedAt} />}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

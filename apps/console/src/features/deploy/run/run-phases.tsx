import { type DeployInstance, isFinished, type RunPhase, runPhases } from '@cannery/contract';
import { Check, Minus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Spinner } from '../../../components/ui/spinner.tsx';
import { classNames } from '../../../lib/class-names.ts';
import type { LogSnapshot } from '../log/log-model.ts';

/** How a phase of a run stands. */
interface PhaseStep {
  readonly phase: RunPhase;
  readonly state: 'done' | 'running' | 'failed' | 'waiting' | 'skipped';
  /** When it began, in milliseconds since 1970, and how long it took; undefined while it runs. */
  readonly startedAt: number | undefined;
  readonly took: number | undefined;
}

/** The phases of a run from what its log tells of them; none where it tells nothing, as in logs of earlier versions. */
export function phaseCourse(status: string | null, log: LogSnapshot): PhaseStep[] {
  if (log.phases.length === 0) return [];
  const isOver = isFinished(status);
  const end = log.times[log.count - 1] ?? undefined;
  const lastPhase = log.phases.at(-1)?.phase;
  const reached = runPhases.findIndex((phase) => phase === lastPhase);
  return runPhases.map((phase, place) => {
    const at = log.phases.findLastIndex((start) => start.phase === phase);
    const startedAt = log.phases[at]?.at;
    if (startedAt === undefined) {
      const state = place < reached || isOver ? 'skipped' : 'waiting';
      return { phase, state, startedAt, took: undefined };
    }
    const isLast = phase === lastPhase;
    const endedAt = isLast ? (isOver ? end : undefined) : log.phases[at + 1]?.at;
    const took = endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt);
    const state = !isLast ? 'done' : !isOver ? 'running' : status === 'COMPLETED' ? 'done' : 'failed';
    return { phase, state, startedAt, took };
  });
}

/** A duration as a clock shows it: '0.4 s', '12 s', '3:05'. */
export function clockText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

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

import { isFinished, runPhases, type RunPhase } from '@cannery/contract';
import type { LogSnapshot } from './log-model.ts';

/** How a phase of a run stands. */
export interface PhaseStep {
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

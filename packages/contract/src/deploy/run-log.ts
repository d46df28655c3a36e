import { z } from 'zod';

/** The phases of a run, in their order. A phase that a run does not need is left out of it. */
export const runPhases = ['checkout', 'packages', 'build', 'publish'] as const;
export type RunPhase = (typeof runPhases)[number];

/**
 * Lines of a run's log, as the event `lines` of its stream carries them. The id of the event is the number of its last
 * line: a reader that comes back names it in the header `Last-Event-ID` and gets what follows.
 */
export const logLinesEvent = z.object({
  /** Number of the first of these lines, from 1. */
  first: z.number(),
  /** One or more lines, without the line break at the end. */
  text: z.string(),
  /** When the first of them was printed, in milliseconds since 1970; null in logs of earlier versions. */
  at: z.number().nullable(),
  /** Milliseconds from that moment to each of the lines. */
  after: z.array(z.number()),
  /** The phase they were printed in. */
  phase: z.string().nullable(),
});
export type LogLinesEvent = z.infer<typeof logLinesEvent>;

/** The event `end` of a log's stream: the run is over, and every line has been sent. */
export const logEndEvent = z.object({ status: z.string() });
export type LogEndEvent = z.infer<typeof logEndEvent>;

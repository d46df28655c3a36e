import type { AppContext } from '../../../context.ts';
import { NetworkPatience } from '../../../ic/agent/patience.ts';
import type { InstanceLog } from '../../../jobs/instance-log.ts';

/** What a run works with: its calls to the network wait while that is away. */
export interface PatientRun {
  readonly ctx: AppContext;
  readonly network: NetworkPatience;
  /** Lets nothing that the run has left behind wait any longer, or write to its log. */
  end(): void;
}

/**
 * Lets everything that a run asks of the network wait while that is away, and says so in its log: nobody waits for a run as for an
 * answer, so that a network that is started again fails none.
 * @param run.signal ends a wait at once
 */
export function patientRun(
  ctx: AppContext,
  run: { readonly log: Pick<InstanceLog, 'say'>; readonly signal: AbortSignal },
): PatientRun {
  const over = new AbortController();
  const signal = AbortSignal.any([run.signal, over.signal]);
  const network = new NetworkPatience({ signal, say: (line) => run.log.say(line) });
  return { ctx: { ...ctx, ic: ctx.ic.patient(network) }, network, end: () => over.abort() };
}

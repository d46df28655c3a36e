import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../errors.ts';

/** How long a repeated request waits for the outcome of the first one. */
const PATIENCE_MS = 15_000;
const POLL_MS = 200;

/** An earlier sending of a request is under way. */
export const UNDER_WAY = Symbol('under way');

/**
 * Waits for the outcome of an earlier sending of a request.
 * @param look what is known of it now
 * @throws AppError network_unavailable when the outcome is not known in time, and what `look` throws
 */
export async function awaitOutcome<Outcome>(
  look: () => Promise<Outcome | typeof UNDER_WAY>,
): Promise<Outcome> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    const outcome = await look();
    if (outcome !== UNDER_WAY) return outcome;
    if (performance.now() > giveUpAt) {
      throw new AppError(
        'network_unavailable',
        'The outcome of this request is not known yet. Send the same request again: it is not carried out twice.',
        { detail: 'Send it with the same Idempotency-Key.' },
      );
    }
  }
}

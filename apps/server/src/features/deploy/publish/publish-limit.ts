import { BuildError } from '../../../builders/build-error.ts';

/** What publishing a site is bound by. */
export interface PublishLimit {
  readonly timeoutSeconds: number;
  /** Ends it for another reason, such as the end of the server. */
  readonly signal: AbortSignal;
  /** What fires after a number of milliseconds that count; those of the clock where absent. */
  limit?(ms: number): AbortSignal;
}

/**
 * Publishes within a time limit. Work that does not mind its signal is left behind at the limit: each call to the network
 * ends at a limit of the client.
 * @throws BuildError at the limit, with the setting that raises it
 */
export async function withinLimit<T>(
  { timeoutSeconds, signal, limit: limitOf = AbortSignal.timeout }: PublishLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = limitOf(timeoutSeconds * 1000);
  const { promise: late, reject } = Promise.withResolvers<never>();
  limit.addEventListener('abort', () => reject(limit.reason), { once: true });
  late.catch(() => undefined);
  try {
    return await Promise.race([work(AbortSignal.any([signal, limit])), late]);
  } catch (error) {
    if (!limit.aborted || signal.aborted) throw error;
    throw new BuildError(
      `Publishing took longer than the limit of ${timeoutSeconds} s (PUBLISH_TIMEOUT_S). Publish fewer or smaller files, ` +
        'or ask the operator to raise the limit.',
      { cause: error },
    );
  }
}

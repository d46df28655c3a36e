import type { FastifyInstance } from 'fastify';

/**
 * Does a piece of work beside the serving of requests, once. A server that closes waits for the step that is under way.
 * @param options.work asks now and then whether it is over
 */
export function untilClosed(
  app: FastifyInstance,
  options: { work: (isOver: () => boolean) => Promise<void>; failed: (error: unknown) => void },
): void {
  let isOver = false;
  let working: Promise<void> | undefined;
  app.addHook('onReady', async () => {
    working = options.work(() => isOver).catch(options.failed);
  });
  app.addHook('onClose', async () => {
    isOver = true;
    await working;
  });
}

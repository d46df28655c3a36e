/** Work that is done again and again. */
export interface Repeated {
  /** Ends it, once what is under way is done. */
  stop(): Promise<void>;
}

/**
 * Does work at once, and again after each pause until it is stopped, never twice at the same time.
 * @param options.pauseMs how long after the end of the work, in milliseconds; may depend on what it came to, undefined when it failed
 * @param options.failed is told of a failure, after which the work goes on; not of one while it is being stopped
 */
export function repeat<T>(
  work: () => Promise<T>,
  options: { pauseMs: number | ((result: T | undefined) => number); failed: (error: unknown) => void },
): Repeated {
  const { pauseMs, failed } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!stopped) failed(error);
      return undefined;
    }
  };
  const round = async (): Promise<void> => {
    const result = await attempt();
    const pause = typeof pauseMs === 'number' ? pauseMs : pauseMs(result);
    if (!stopped) timer = setTimeout(next, pause);
  };
  const next = (): void => {
    running = round();
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

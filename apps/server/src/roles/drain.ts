import type { Server, ServerResponse } from 'node:http';

/** What ends a server without cutting off what is under way. */
export interface Drain {
  /**
   * Takes no more connections, and waits until every answer that has an end has been given.
   * @param mostMs after which it waits no longer, in milliseconds
   */
  run(mostMs: number): Promise<void>;
}

/** Streams of news end when their client goes; it comes again elsewhere. */
function isEndless(response: ServerResponse): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}

/** Watches the answers of a server, from now on. To be called when the framework has taken the server over. */
export function drainOf(server: Server): Drain {
  const open = new Set<ServerResponse>();
  let isDraining = false;
  let onChange = (): void => {};
  server.prependListener('request', (_request, response: ServerResponse) => {
    open.add(response);
    // The next request of the connection goes to another process.
    if (isDraining) response.setHeader('connection', 'close');
    response.once('close', () => {
      open.delete(response);
      onChange();
    });
  });
  return {
    async run(mostMs) {
      isDraining = true;
      server.close(() => undefined);
      server.closeIdleConnections();
      const done = Promise.withResolvers<void>();
      const isDone = (): boolean => [...open].every(isEndless);
      const timer = setTimeout(done.resolve, mostMs);
      onChange = () => {
        if (isDone()) done.resolve();
      };
      onChange();
      await done.promise;
      clearTimeout(timer);
    },
  };
}

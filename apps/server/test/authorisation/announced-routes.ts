import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** Routes of the servers that start in this process, as Fastify itself announces them: `GET /api/deploy/:id`. */
export interface AnnouncedRoutes {
  readonly rows: ReadonlySet<string>;
  stop(): void;
}

const CHANNEL = 'fastify.initialization';

/** Listens from now on; routes of servers that have started before are not seen. */
export function listenForRoutes(): AnnouncedRoutes {
  const rows = new Set<string>();
  const onServer = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) rows.add(`${one} ${url}`);
    });
  };
  subscribe(CHANNEL, onServer);
  return { rows, stop: () => void unsubscribe(CHANNEL, onServer) };
}

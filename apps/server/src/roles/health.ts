import { ServedHosts } from '@cannery/network/hosts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { AppContext } from '../context.ts';
import { isUp } from '../db/is-up.ts';
import { hasRoom } from '../data-dir/disk-room.ts';

/** The names by which other processes and the operator's probes reach a process that people do not. */
export function innerHosts({ host, internalUrl }: Pick<Config, 'host' | 'internalUrl'>): ServedHosts {
  return new ServedHosts([host, ...(internalUrl === undefined ? [] : [new URL(internalUrl).host])]);
}

/** `GET /health` of a process that people do not reach. @param isWorking whether it does what its role is there for */
export function addHealth(
  app: FastifyInstance,
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  isWorking: () => boolean,
): void {
  app.get('/health', async (_request, reply) => {
    const [database, disk] = await Promise.all([isUp(db), hasRoom(config.dataDir)]);
    const working = isWorking();
    const ok = database && disk && working;
    return reply
      .code(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ok ? 'ok' : 'degraded', role: config.role, database, disk, working });
  });
}

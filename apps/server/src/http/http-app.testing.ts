import type { FastifyInstance } from 'fastify';
import { CallLimiter } from '../fairness/call-limiter.ts';
import { type ConnectionLimits, listen } from '../listen.ts';
import { createLogger } from '../log/logger.ts';
import { SecurityLog } from '../security-log/security-log.ts';
import { createHttpApp } from './create-app.ts';

type Options = Partial<Omit<Parameters<typeof createHttpApp>[0], 'server'>> & {
  readonly connections?: ConnectionLimits;
};

/** The HTTP framework on a free port, without routes: it lets every call through unless told otherwise. */
export async function testHttpApp({ connections, ...options }: Options = {}): Promise<{
  app: FastifyInstance;
  port: number;
}> {
  const { server, port } = await listen('127.0.0.1', 0, connections);
  const log = createLogger({ logLevel: 'silent' });
  const app = await createHttpApp({
    server,
    log,
    security: new SecurityLog({ log, isOn: false }),
    called: { network: 'http://127.0.0.1:9', api: undefined, httpsOnly: false },
    callLimiter: new CallLimiter({ callsPerSecond: 10_000, signInsPerMinute: 100 }),
    trustProxy: false,
    servesHost: () => true,
    ...options,
  });
  return { app, port };
}

import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { z } from 'zod';
import type { RateWindows } from '../../fairness/rates.ts';

/** What the plugin tells a store of its route; its types say otherwise. */
const ofRoute = z.object({
  routeInfo: z.object({ method: z.union([z.string(), z.array(z.string())]), url: z.string() }),
});

/** What `@fastify/rate-limit` counts with where several processes serve: each route has a count for each address. */
export function windowStore(windows: RateWindows): FastifyRateLimitStoreCtor {
  return class WindowStore {
    #route = '';

    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow: number,
    ): void {
      const count = async (): Promise<void> => {
        const { calls, leftMs } = await windows.count(`${this.#route} ${key}`, timeWindow);
        callback(null, { current: calls, ttl: leftMs });
      };
      void count();
    }

    child(options: object): WindowStore {
      const { routeInfo } = ofRoute.parse(options);
      const store = new WindowStore();
      store.#route = `${String(routeInfo.method)} ${routeInfo.url}`;
      return store;
    }
  };
}

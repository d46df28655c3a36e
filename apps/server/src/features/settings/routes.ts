import { type PublicConfig, settingsEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { isUp } from '../../db/is-up.ts';
import { hasRoom } from '../../data-dir/disk-room.ts';
import { publicRoute, type Route } from '../../http/route.ts';

/** @param options.workerUp whether deploys are being run (by this process, or by design in another one) */
export function settingsRoutes(
  ctx: AppContext,
  options: { workerUp: () => boolean; publicConfig: () => PublicConfig },
): Route[] {
  return [
    publicRoute(settingsEndpoints.config, async () => ({ body: options.publicConfig() })),
    publicRoute(settingsEndpoints.health, async () => {
      const [database, network, disk] = await Promise.all([
        isUp(ctx.db),
        ctx.ic.isUp(),
        hasRoom(ctx.config.dataDir),
      ]);
      const worker = options.workerUp();
      const ok = database && network && worker && disk;
      const status: 'ok' | 'degraded' = ok ? 'ok' : 'degraded';
      return { status: ok ? 200 : 503, body: { status, database, network, worker, disk } };
    }),
  ];
}

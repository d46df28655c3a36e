import { type PublicConfig, settingsEndpoints } from '@cannery/contract';
import { sql } from 'kysely';
import { PRODUCT_NAME } from '../../config.ts';
import type { AppContext } from '../../context.ts';
import { publicRoute, type Route } from '../../http/route.ts';

/** @param options.workerUp whether deploys are being run (by this process, or by design in another one) */
export function settingsRoutes(
  ctx: AppContext,
  options: { workerUp: () => boolean; gitProvider: PublicConfig['git_provider']; warnings: () => string[] },
): Route[] {
  const { config, addresses } = ctx;
  return [
    publicRoute(settingsEndpoints.config, async () => ({
      body: {
        product_name: PRODUCT_NAME,
        network_url: addresses.networkUrl,
        network_is_local: !config.isMainnet,
        delete_returns_cycles: ctx.ic.givesCyclesBack,
        canister_create_cost: config.canisterCreateCost.toString(),
        canister_url_pattern: addresses.canisterUrlPattern,
        candid_url_pattern: addresses.candidUrlPattern,
        git_provider: options.gitProvider,
        support_url: config.supportUrl,
        sign_in: { provider: 'google', embedded: config.identity.embedded },
        sample_products: config.sampleProducts,
        sample_module: true,
        warnings: options.warnings(),
      },
    })),
    publicRoute(settingsEndpoints.health, async () => {
      const [database, network] = await Promise.all([databaseUp(ctx), ctx.ic.isUp()]);
      const worker = options.workerUp();
      const ok = database && network && worker;
      const status: 'ok' | 'degraded' = ok ? 'ok' : 'degraded';
      return { status: ok ? 200 : 503, body: { status, database, network, worker } };
    }),
  ];
}

async function databaseUp(ctx: AppContext): Promise<boolean> {
  try {
    await sql`select 1`.execute(ctx.db);
    return true;
  } catch {
    return false;
  }
}

import type { PublicConfig } from '@cannery/contract';
import { PRODUCT_NAME } from '../../config/config.ts';
import type { AppContext } from '../../context.ts';

/** What everybody may know of this server; it stays the same as long as the process runs. */
export function describeConfig(
  { config, addresses, ic }: AppContext,
  found: { gitProvider: PublicConfig['git_provider']; warnings: readonly string[] },
): PublicConfig {
  return {
    product_name: PRODUCT_NAME,
    network_url: addresses.networkUrl,
    network_is_local: !config.isMainnet,
    delete_returns_cycles: ic.givesCyclesBack,
    canister_create_cost: config.canisterCreateCost.toString(),
    canister_url_pattern: addresses.canisterUrlPattern,
    candid_url_pattern: addresses.candidUrlPattern,
    git_provider: found.gitProvider,
    support_url: config.supportUrl,
    sign_in: { provider: 'google', embedded: config.identity.embedded },
    sample_products: config.sampleProducts,
    sample_module: true,
    code_origins: true,
    warnings: [...found.warnings],
  };
}

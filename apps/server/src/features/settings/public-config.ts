import { GITHUB_PATH, type PublicConfig } from '@cannery/contract';
import { type GitProviderConfig, PRODUCT_NAME } from '../../config/config.ts';
import type { InternetIdentity } from '../../config/internet-identity.ts';
import type { AppContext } from '../../context.ts';
import { siteNameRules } from '../../network/site-name-rules.ts';
import { CONNECT_PATH } from '../../git/repository/names.ts';

/**
 * How the console names and links the git provider: the host that ships with the product, or GitHub, unless a setting
 * differs.
 */
export function gitProvider(
  publicUrl: string,
  settings: GitProviderConfig,
  {
    gitHubUrl,
    consoleUrl = publicUrl,
  }: { gitHubUrl?: string | undefined; consoleUrl?: string | undefined } = {},
): PublicConfig['git_provider'] {
  const host = gitHubUrl ?? publicUrl;
  return {
    name: settings.name,
    account_url_pattern: settings.accountUrlPattern ?? `${host}/{owner}`,
    repository_url_pattern: settings.repositoryUrlPattern ?? `${host}/{owner}/{repo}`,
    tree_url_pattern: settings.treeUrlPattern ?? `${host}/{owner}/{repo}/tree/{branch}`,
    clone_url_pattern: `${host}/{owner}/{repo}.git`,
    install_url:
      settings.installUrl ??
      (gitHubUrl === undefined ? `${publicUrl}${CONNECT_PATH}` : `${consoleUrl}${GITHUB_PATH}`),
    embedded: gitHubUrl === undefined,
  };
}

/**
 * What everybody may know of this server: the same object until what it warns of changes.
 * @param found.warnings the same array as long as they are the same
 */
export function publicConfigOf(
  ctx: AppContext,
  found: Omit<Parameters<typeof describeConfig>[1], 'warnings'> & { warnings: () => readonly string[] },
): () => PublicConfig {
  let warnings = found.warnings();
  let described = describeConfig(ctx, { ...found, warnings });
  return () => {
    const next = found.warnings();
    if (next !== warnings) {
      warnings = next;
      described = describeConfig(ctx, { ...found, warnings });
    }
    return described;
  };
}

function describeConfig(
  { config, addresses, ic, embedded, rust }: AppContext,
  found: {
    gitProvider: PublicConfig['git_provider'];
    internetIdentity: InternetIdentity | undefined;
    warnings: readonly string[];
  },
): PublicConfig {
  const { internetIdentity } = found;
  return {
    product_name: PRODUCT_NAME,
    network_url: addresses.networkUrl,
    network_is_local: !config.isMainnet,
    embedded_network: embedded !== undefined,
    delete_returns_cycles: ic.givesCyclesBack,
    canister_create_cost: config.canisterCreateCost.toString(),
    canister_url_pattern: addresses.canisterUrlPattern,
    site_name_pattern: siteNameRules(config, addresses)?.pattern ?? null,
    candid_url_pattern: addresses.candidUrlPattern,
    git_provider: found.gitProvider,
    support_url: config.supportUrl,
    sign_in: {
      provider: 'google',
      embedded: config.identity.embedded,
      ...(internetIdentity && {
        internet_identity: { address: internetIdentity.address, origin: internetIdentity.origin },
      }),
    },
    sample_products: config.sampleProducts,
    sample_module: true,
    code_origins: true,
    pictures: config.sitePictures,
    rust: rust === null ? null : { version: rust.version, wasm_target: rust.hasTarget },
    warnings: [...found.warnings],
  };
}

import { ServedHosts } from '@cannery/network/hosts';
import type { Config } from '../config/config.ts';
import { StartError } from '../errors.ts';

/** Address of a canister's site whose host begins with the canister's ID. */
export const OWN_HOST_PATTERN = /^https?:\/\/\{canisterId\}\.([^/?#]+)/;

/** The hosts the console answers to: loopback, where it listens, and the host of `PUBLIC_URL`. */
export function consoleHosts(config: Pick<Config, 'host' | 'publicUrlSetting'>): ServedHosts {
  const { publicUrlSetting } = config;
  const names = publicUrlSetting === undefined ? [] : [new URL(publicUrlSetting).host];
  return new ServedHosts([config.host, ...names]);
}

/** How the embedded network is reached, who may make cycles and look at it, and what canisters reach from there. */
export interface NetworkAccess {
  /** Host names besides those of loopback. */
  readonly hosts: readonly string[];
  readonly canisterUrl: string | undefined;
  /** `anyone`, `nobody` or a principal. */
  readonly provisional: string;
  /** `off` or `https`. */
  readonly outcalls: string;
  /** `on` or `off`. */
  readonly dashboard: string;
}

type AccessSettings = Pick<
  Config,
  | 'host'
  | 'networkHosts'
  | 'networkProvisional'
  | 'networkOutcalls'
  | 'networkDashboard'
  | 'networkUrlSetting'
  | 'publicUrlSetting'
  | 'canisterUrlSetting'
>;

/**
 * What the embedded network is told of the addresses in the settings. Without `NETWORK_PROVISIONAL` anybody may make cycles
 * where only this computer can reach the network, else only the console. The address a request comes from proves nothing,
 * since a proxy on this computer is on loopback too: it counts where we listen, and under which names.
 * @param principal the console's own
 * @throws StartError when a name in NETWORK_HOSTS is none
 */
export function networkAccess(settings: AccessSettings, principal: string): NetworkAccess {
  const addresses = [settings.networkUrlSetting, settings.publicUrlSetting].filter(
    (url) => url !== undefined,
  );
  const pattern = settings.canisterUrlSetting;
  const parent = pattern && OWN_HOST_PATTERN.exec(pattern)?.[1];
  const hosts = [
    ...settings.networkHosts,
    ...addresses.map((url) => new URL(url).host),
    ...(parent ? [`*.${parent}`] : []),
  ];
  const access = {
    hosts,
    canisterUrl: parent ? pattern : undefined,
    outcalls: settings.networkOutcalls,
    dashboard: settings.networkDashboard,
  };
  const policy = settings.networkProvisional ?? (isLocal(settings.host, hosts) ? 'open' : 'console');
  const known = new Map([
    ['open', 'anyone'],
    ['console', principal],
    ['off', 'nobody'],
  ]);
  return { ...access, provisional: known.get(policy) ?? policy };
}

function isLocal(host: string, hosts: readonly string[]): boolean {
  try {
    return new ServedHosts([host, ...hosts]).areLoopback;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`NETWORK_HOSTS or an address cannot be used: ${reason}.`, { cause: error });
  }
}

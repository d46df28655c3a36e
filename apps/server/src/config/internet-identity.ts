import { StartError } from '../errors.ts';
import { type Addresses, type Config, hasService, isMainnet } from './config.ts';

/** The canister of Internet Identity, on mainnet and on local networks alike. */
export const INTERNET_IDENTITY_CANISTER = 'rdmx6-jaaaa-aaaaa-aaadq-cai';
/** Its page on mainnet. */
const MAINNET_PAGE = 'https://id.ai/authorize';
/** Hosts of that page which are no gateways of canisters. */
const MAINNET_HOSTS = ['id.ai', 'identity.internetcomputer.org'];

/** Where Internet Identity signs people in, and whose signatures count. */
export interface InternetIdentity {
  /** Its page. */
  readonly address: string;
  /** The origin of the console's pages: principals are made for it. */
  readonly origin: string;
  /** Whether mainnet vouches for it; else the network of the console does. */
  readonly isMainnet: boolean;
}

type Settings = Pick<
  Config,
  'internetIdentity' | 'isMainnet' | 'icUrl' | 'networkServices' | 'canisterUrlSetting' | 'consoleUrl'
>;

/**
 * What `SIGN_IN_INTERNET_IDENTITY` comes to.
 * @returns undefined where it is off
 * @throws StartError where the network has no such canister
 */
export function internetIdentityOf(
  settings: Settings,
  { publicUrl, networkUrl, canisterUrlPattern }: Addresses,
): InternetIdentity | undefined {
  const { internetIdentity } = settings;
  if (internetIdentity === 'off') return undefined;
  const { origin } = new URL(settings.consoleUrl ?? publicUrl);
  if (internetIdentity !== 'on') {
    return {
      address: internetIdentity,
      origin,
      isMainnet: settings.isMainnet || isOfMainnet(internetIdentity),
    };
  }
  if (settings.isMainnet) return { address: MAINNET_PAGE, origin, isMainnet: true };
  if (settings.icUrl === undefined && !hasService(settings.networkServices, 'internet-identity')) {
    throw new StartError(
      'SIGN_IN_INTERNET_IDENTITY is on, but NETWORK_SERVICES leaves internet-identity out. Add it there, or give the address of a page.',
    );
  }
  const site = canisterUrlPattern.replace('{canisterId}', INTERNET_IDENTITY_CANISTER);
  // The host that developers give to their own sites: passkeys belong to a host.
  const host =
    settings.canisterUrlSetting === undefined ? `http://id.ai.localhost:${portOf(networkUrl)}/` : site;
  return { address: `${host.replace(/\/$/, '')}/authorize`, origin, isMainnet: false };
}

function isOfMainnet(address: string): boolean {
  return MAINNET_HOSTS.includes(new URL(address).hostname) || isMainnet(address);
}

function portOf(address: string): string {
  return new URL(address).port || '80';
}

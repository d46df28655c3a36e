import { resolve } from 'node:path';
import { CYCLES_PER_T } from '@cannery/contract';
import type { Env } from './env.ts';
import { StartError } from './errors.ts';

/** What the server decided at its start, once; nothing else reads the environment. */
export interface Config {
  readonly host: string;
  /** Ports as configured; 0 means any free one (the real ones are in the addresses). */
  readonly port: number;
  readonly networkPort: number;
  /** Name of the fee schedule of the embedded network. */
  readonly networkFees: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Set when an IC network other than the embedded one is used. */
  readonly icUrl: string | undefined;
  /** Whether the network is the real IC, whose root key is built in and must never be fetched. */
  readonly isMainnet: boolean;
  /** The cycles ledger that pays for canisters; undefined where cycles come from nothing. */
  readonly cyclesLedger: string | undefined;
  /** PEM file of the server's identity on the network, when it is not the one that is made in the data folder. */
  readonly identityFile: string | undefined;
  readonly openingBalance: bigint;
  readonly canisterCreateCost: bigint;
  readonly runsWorker: boolean;
  readonly build: { readonly timeoutSeconds: number; readonly memoryMegabytes: number };
  readonly supportUrl: string;
  readonly logLevel: Env['LOG_LEVEL'];
  readonly identity: IdentityConfig;
  readonly publicUrlSetting: string | undefined;
  readonly networkUrlSetting: string | undefined;
  readonly canisterUrlSetting: string | undefined;
  readonly candidUrlSetting: string | undefined;
}

export type IdentityConfig =
  | { readonly embedded: true }
  | {
      readonly embedded: false;
      readonly issuer: string;
      readonly clientId: string;
      readonly clientSecret: string;
    };

/** Addresses that are known only once the ports are bound. None ends in '/'. */
export interface Addresses {
  /** The console's origin as browsers see it. */
  readonly publicUrl: string;
  /** The IC HTTP interface as browsers see it. */
  readonly networkUrl: string;
  readonly canisterUrlPattern: string;
  readonly candidUrlPattern: string;
}

export const PRODUCT_NAME = 'Cannery';
export const API_BASE = '/api';

/** The cycles ledger of mainnet. */
export const MAINNET_CYCLES_LEDGER = 'um5iw-rqaaa-aaaaq-qaaba-cai';

const MAINNET_HOSTS = ['icp-api.io', 'icp0.io', 'ic0.app', 'icp.net'];

/** Whether an address leads to the real IC. */
export function isMainnet(networkUrl: string): boolean {
  const { hostname } = new URL(networkUrl);
  return MAINNET_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether an address of the console leads to this computer from everywhere; names below .localhost do (RFC 6761). */
export function isLocalAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const name = new URL(address).hostname.replace(/^\[|\]$/g, '');
  return isLoopback(name) || name.endsWith('.localhost');
}

function identityOf(env: Env): IdentityConfig {
  const given = [env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET];
  if (given.every((value) => value === undefined)) {
    if (!isLoopback(env.HOST)) {
      throw new StartError(
        `HOST is ${env.HOST}, but the embedded sign-in asks for no password and works on loopback only. ` +
          'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or HOST=127.0.0.1.',
      );
    }
    if (env.PUBLIC_URL !== undefined && !isLocalAddress(env.PUBLIC_URL)) {
      throw new StartError(
        `PUBLIC_URL is ${env.PUBLIC_URL}, but the embedded sign-in asks for no password and works on loopback only. ` +
          'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or leave PUBLIC_URL out.',
      );
    }
    return { embedded: true };
  }
  const [issuer, clientId, clientSecret] = given;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new StartError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three.',
    );
  }
  return { embedded: false, issuer, clientId, clientSecret };
}

/** What kind of network it is: its address tells, unless a proxy stands in front of mainnet. */
function networkOf(env: Env): Pick<Config, 'icUrl' | 'isMainnet' | 'cyclesLedger' | 'identityFile'> {
  const icUrl = env.IC_URL?.replace(/\/+$/, '');
  const looksReal = icUrl !== undefined && isMainnet(icUrl);
  if (icUrl === undefined && env.IC_NETWORK === 'mainnet') {
    throw new StartError('IC_NETWORK is mainnet, but IC_URL is not set. Set IC_URL=https://icp-api.io.');
  }
  if (looksReal && env.IC_NETWORK === 'local') {
    throw new StartError(`IC_URL is ${icUrl}, which is mainnet. Leave IC_NETWORK=local out.`);
  }
  const isReal = looksReal || env.IC_NETWORK === 'mainnet';
  const cyclesLedger = env.CYCLES_LEDGER ?? (isReal ? MAINNET_CYCLES_LEDGER : undefined);
  return { icUrl, isMainnet: isReal, cyclesLedger, identityFile: env.IC_IDENTITY_FILE };
}

const OPENING_BALANCE = 100n * CYCLES_PER_T;

/** @throws StartError when options contradict each other. */
export function configOf(env: Env): Config {
  const network = networkOf(env);
  return {
    host: env.HOST,
    port: env.PORT,
    networkPort: env.NETWORK_PORT,
    networkFees: env.NETWORK_FEES,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    ...network,
    // What a cycles ledger pays for is the operator's; nobody gets it for signing in.
    openingBalance: env.OPENING_BALANCE_T ?? (network.cyclesLedger === undefined ? OPENING_BALANCE : 0n),
    canisterCreateCost: env.CANISTER_CREATE_T,
    runsWorker: env.WORKER === 'on',
    build: { timeoutSeconds: env.BUILD_TIMEOUT_S, memoryMegabytes: env.BUILD_MEMORY_MB },
    supportUrl: env.SUPPORT_URL,
    logLevel: env.LOG_LEVEL,
    identity: identityOf(env),
    publicUrlSetting: env.PUBLIC_URL?.replace(/\/+$/, ''),
    networkUrlSetting: env.NETWORK_PUBLIC_URL?.replace(/\/+$/, ''),
    canisterUrlSetting: env.CANISTER_URL_PATTERN,
    candidUrlSetting: env.CANDID_URL_PATTERN,
  };
}

/** The addresses for the ports that were really bound. */
export function addressesOf(config: Config, bound: { port: number; networkPort: number }): Addresses {
  const name =
    isLoopback(config.host) || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  const publicUrl = config.publicUrlSetting ?? `http://${name}:${bound.port}`;
  const networkUrl = config.networkUrlSetting ?? config.icUrl ?? `http://${name}:${bound.networkPort}`;
  const gateway =
    config.isMainnet || isMainnet(networkUrl)
      ? 'https://{canisterId}.icp.net/'
      : `http://{canisterId}.localhost:${new URL(networkUrl).port || '80'}/`;
  return {
    publicUrl,
    networkUrl,
    canisterUrlPattern: config.canisterUrlSetting ?? gateway,
    candidUrlPattern: config.candidUrlSetting ?? `${publicUrl}/candid/?id={canisterId}`,
  };
}

import { join, resolve } from 'node:path';
import { CYCLES_PER_T } from '@cannery/contract';
import type { Env } from './env.ts';
import { BUILD_MEMORY_MB } from './machine-memory.ts';
import { StartError } from '../errors.ts';
import { requireSettings } from './roles.ts';
import { hasSiteNames } from './site-names.ts';

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

/** The cycles ledger of mainnet, and of the embedded network where that has one. */
const CYCLES_LEDGER = 'um5iw-rqaaa-aaaaq-qaaba-cai';

const MIB = 1024 * 1024;
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

/** Who signs users in: the embedded provider, or one of the operator. */
export type IdentityConfig = ReturnType<typeof identityOf>;

function identityOf(env: Env) {
  const given = [env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET];
  if (given.every((value) => value === undefined)) {
    // Other roles sign nobody in.
    const signsIn = env.ROLE === 'all' || env.ROLE === 'api';
    if (signsIn && !isLoopback(env.HOST)) {
      throw new StartError(
        `HOST is ${env.HOST}, but the embedded sign-in asks for no password and works on loopback only. ` +
          'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or HOST=127.0.0.1.',
      );
    }
    if (signsIn && env.PUBLIC_URL !== undefined && !isLocalAddress(env.PUBLIC_URL)) {
      throw new StartError(
        `PUBLIC_URL is ${env.PUBLIC_URL}, but the embedded sign-in asks for no password and works on loopback only. ` +
          'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or leave PUBLIC_URL out.',
      );
    }
    return { embedded: true as const };
  }
  const [issuer, clientId, clientSecret] = given;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new StartError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three.',
    );
  }
  return { embedded: false as const, issuer, clientId, clientSecret };
}

/** Whether `NETWORK_SERVICES` names a system canister of the embedded network. */
export function hasService(services: string, name: string): boolean {
  return services === 'default' || services.split(',').some((each) => each.trim() === name);
}

/** Other addresses of the network. @throws StartError where they cannot be of the same one */
function fallbackUrlsOf({ IC_URL, IC_FALLBACK_URLS = [] }: Env, isReal: boolean): readonly string[] {
  if (IC_URL === undefined && IC_FALLBACK_URLS.length > 0) {
    throw new StartError(
      'IC_FALLBACK_URLS has addresses, but IC_URL is not set. Set IC_URL to the first of them.',
    );
  }
  const other = IC_FALLBACK_URLS.find((url) => !isReal && isMainnet(url));
  if (other !== undefined) {
    throw new StartError(
      `IC_FALLBACK_URLS has ${other}, which is mainnet, and IC_URL is ${IC_URL}, which is not. They must be one network.`,
    );
  }
  return IC_FALLBACK_URLS;
}

/** What kind of network it is: its address tells, unless a proxy is in front of mainnet. */
function networkOf(env: Env) {
  const icUrl = env.IC_URL;
  const looksReal = icUrl !== undefined && isMainnet(icUrl);
  if (icUrl === undefined && env.IC_NETWORK === 'mainnet') {
    throw new StartError('IC_NETWORK is mainnet, but IC_URL is not set. Set IC_URL=https://icp-api.io.');
  }
  if (looksReal && env.IC_NETWORK === 'local') {
    throw new StartError(`IC_URL is ${icUrl}, which is mainnet. Leave IC_NETWORK=local out.`);
  }
  const isReal = looksReal || env.IC_NETWORK === 'mainnet';
  const isMissing = env.CYCLES_LEDGER === CYCLES_LEDGER && !hasService(env.NETWORK_SERVICES, 'cycles-ledger');
  if (icUrl === undefined && env.ROLE === 'all' && isMissing) {
    throw new StartError(
      `CYCLES_LEDGER is ${CYCLES_LEDGER}, but NETWORK_SERVICES leaves cycles-ledger out. Add it there, or leave CYCLES_LEDGER out.`,
    );
  }
  return {
    /** Set when an IC network other than the embedded one is used. */
    icUrl,
    /** Other addresses of the same network. */
    icFallbackUrls: fallbackUrlsOf(env, isReal),
    /** Whether the network is the real IC, whose root key is built in and must never be fetched. */
    isMainnet: isReal,
    /** The cycles ledger that pays for canisters; undefined where cycles come from nothing. */
    cyclesLedger: env.CYCLES_LEDGER ?? (isReal ? CYCLES_LEDGER : undefined),
    /** PEM file of the server's identity on the network, when it is not the one that is made in the data folder. */
    identityFile: env.IC_IDENTITY_FILE,
  };
}

/** A bucket of an S3-compatible service. */
export type BucketConfig = NonNullable<ReturnType<typeof bucketOf>>;

/** The bucket of uploads. @throws StartError when only a part of its settings is there */
function bucketOf(env: Env) {
  const given = [env.BLOBS_S3_URL, env.BLOBS_S3_BUCKET, env.BLOBS_S3_ACCESS_KEY, env.BLOBS_S3_SECRET_KEY];
  if (given.every((value) => value === undefined)) return undefined;
  const [url, bucket, accessKey, secretKey] = given;
  if (url === undefined || bucket === undefined || accessKey === undefined || secretKey === undefined) {
    throw new StartError(
      'BLOBS_S3_URL, BLOBS_S3_BUCKET, BLOBS_S3_ACCESS_KEY and BLOBS_S3_SECRET_KEY belong together: set all four.',
    );
  }
  return { url, bucket, region: env.BLOBS_S3_REGION, accessKey, secretKey };
}

/** @throws StartError for copies that would have no place */
function copiesOf(env: Env): BucketConfig | undefined {
  if (env.REPOSITORIES_BACKUP === 'off') return undefined;
  const bucket = bucketOf(env);
  if (bucket !== undefined) return bucket;
  throw new StartError('REPOSITORIES_BACKUP is on, but there is no bucket. Set BLOBS_S3_URL and its three.');
}

/** A GitHub App of the operator. No address ends in '/'. */
export type GitHubConfig = NonNullable<ReturnType<typeof githubOf>>;

/** The GitHub App. @throws StartError when only a part of its settings is there */
function githubOf(env: Env) {
  const given = {
    GITHUB_APP_ID: env.GITHUB_APP_ID,
    GITHUB_APP_SLUG: env.GITHUB_APP_SLUG,
    GITHUB_CLIENT_ID: env.GITHUB_CLIENT_ID,
    GITHUB_CLIENT_SECRET: env.GITHUB_CLIENT_SECRET,
    GITHUB_PRIVATE_KEY_FILE: env.GITHUB_PRIVATE_KEY_FILE,
    GITHUB_WEBHOOK_SECRET: env.GITHUB_WEBHOOK_SECRET,
  };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const hasAddress = env.GITHUB_URL !== undefined || env.GITHUB_API_URL !== undefined;
  if (missing.length === Object.keys(given).length && !hasAddress) return undefined;
  if (missing.length > 0) {
    throw new StartError(
      `The settings of a GitHub App belong together. Set ${missing.join(', ')} too, or none of them (docs/github-app.md).`,
    );
  }
  if (env.GITHUB_API_URL !== undefined && env.GITHUB_URL === undefined) {
    throw new StartError('GITHUB_API_URL is set, but GITHUB_URL is not. Set both, or none for github.com.');
  }
  const url = env.GITHUB_URL ?? GITHUB;
  const apiUrl = env.GITHUB_API_URL ?? (url === GITHUB ? 'https://api.github.com' : `${url}/api/v3`);
  return {
    appId: given.GITHUB_APP_ID ?? 0,
    slug: given.GITHUB_APP_SLUG ?? '',
    clientId: given.GITHUB_CLIENT_ID ?? '',
    clientSecret: given.GITHUB_CLIENT_SECRET ?? '',
    privateKeyFile: given.GITHUB_PRIVATE_KEY_FILE ?? '',
    webhookSecret: given.GITHUB_WEBHOOK_SECRET ?? '',
    url,
    apiUrl,
  };
}

const GITHUB = 'https://github.com';
const OPENING_BALANCE = 100n * CYCLES_PER_T;

/** What the server decided at its start, once; nothing else reads the environment. */
export type Config = Readonly<ReturnType<typeof configOf>>;
/** The operator's lists of hosts that builds and fetches of public repositories may reach. */
export type EgressConfig = Config['egress'];
/** A host by its name as in a normalised URL, and its port. */
export type HostAndPort = EgressConfig['hosts'][number];
export type GitLimits = Config['git'];
export type GitProviderConfig = Config['gitProvider'];

/** @throws StartError when options contradict each other. */
export function configOf(env: Env) {
  requireSettings(env);
  const network = networkOf(env);
  const github = githubOf(env);
  return {
    role: env.ROLE,
    host: env.HOST,
    /** Ports as configured; 0 means any free one (the real ones are in the addresses). */
    port: env.PORT,
    networkPort: env.NETWORK_PORT,
    /** Host names the embedded network answers to, besides those of the addresses. */
    networkHosts: env.NETWORK_HOSTS?.split(',').map((name) => name.trim()) ?? [],
    /** Who may make cycles on the embedded network; where not set, that depends on who can reach it. */
    networkProvisional: env.NETWORK_PROVISIONAL,
    /** Name of the fee schedule of the embedded network. */
    networkFees: env.NETWORK_FEES,
    /** HTTP requests that canisters of the embedded network may make. */
    networkOutcalls: env.NETWORK_OUTCALLS,
    /** Whether the embedded network shows itself to this computer. */
    networkDashboard: env.NETWORK_DASHBOARD,
    /** System canisters of the embedded network: `default`, `none`, or names with commas. */
    networkServices: env.NETWORK_SERVICES,
    /** Whether sites have names besides the ids of their canisters. */
    siteNames: hasSiteNames(env, network.isMainnet),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    /** Folder of the repositories. */
    repositoriesDir: resolve(env.REPOSITORIES_DIR ?? join(env.DATA_DIR, 'git')),
    /** The bucket that gets copies of the repositories, where they are kept. */
    repositoryCopies: copiesOf(env),
    /** Where the other roles reach this git role; without '/' at its end. Undefined where it listens. */
    internalUrl: env.INTERNAL_URL,
    /** How long requests under way may take to end when the process is told to stop, in milliseconds. */
    drainMs: env.DRAIN_S * 1000,
    ...network,
    /** What a cycles ledger pays for is the operator's; nobody gets it for signing in. */
    openingBalance: env.OPENING_BALANCE_T ?? (network.cyclesLedger === undefined ? OPENING_BALANCE : 0n),
    canisterCreateCost: env.CANISTER_CREATE_T,
    /** A session that is not used for this long ends. */
    sessionIdleMs: env.SESSION_IDLE_H * 3_600_000,
    runsWorker: env.WORKER === 'on',
    build: {
      timeoutSeconds: env.BUILD_TIMEOUT_S,
      memoryMegabytes: env.BUILD_MEMORY_MB ?? BUILD_MEMORY_MB,
      /** Processes and threads of a build together. */
      processes: env.BUILD_PROCESSES,
      /** Whether build commands, too, get the way out that installations of packages have. */
      commandHasNetwork: env.BUILD_NETWORK === 'listed',
      /** Runs of this worker at the same time; each may use all its limits. */
      runsOfWorker: env.BUILDS,
      /** Runs of one user at the same time. One place is left for others, whose builds would wait for as long as a build may take. */
      runsOfUser: env.BUILDS_PER_USER ?? Math.max(1, env.BUILDS - 1),
      /** Runs of one user that run or wait. */
      openRunsOfUser: env.OPEN_BUILDS_PER_USER,
    },
    /** What a static site may have, and how long publishing it may take. */
    site: {
      files: env.SITE_MAX_FILES,
      megabytes: env.SITE_MAX_MB,
      timeoutSeconds: env.PUBLISH_TIMEOUT_S,
    },
    /** File with the key that seals secrets, when it is not the one that is made in the data folder. */
    secretsKeyFile: env.SECRETS_KEY_FILE,
    /** What is kept of successful runs for rolling back to them: most of one deploy, and bytes of one user. */
    artifacts: { ofDeploy: env.ARTIFACTS_PER_DEPLOY, bytes: env.ARTIFACT_MB * MIB },
    /** Those in `privateHosts` may have private addresses. */
    egress: { gitHosts: env.GIT_HOSTS, hosts: env.EGRESS_HOSTS, privateHosts: env.EGRESS_PRIVATE_HOSTS },
    /** Where packages of Motoko are fetched from. */
    mopsRegistry: {
      url: env.MOPS_REGISTRY_URL,
      canisterId: env.MOPS_REGISTRY_CANISTER,
      isMainnet: isMainnet(env.MOPS_REGISTRY_URL),
    },
    rust: {
      /** Folder of the toolchain, or 'off'; undefined to look for one. */
      toolchain: env.RUST_TOOLCHAIN,
      /** Address of the sparse index of crates, without slash at its end. */
      indexUrl: env.CRATES_INDEX_URL,
    },
    /** Where uploads are kept, when it is not the data folder. */
    bucket: bucketOf(env),
    /** Bytes of all modules and icons of one user. */
    uploadBytes: env.UPLOAD_MB * MIB,
    /** For so long an upload is kept that nothing uses. */
    unusedUploadMs: env.UPLOAD_KEEP_H * 3_600_000,
    /** What one user may have on the git host. */
    git: {
      repositories: env.MAX_REPOSITORIES,
      /** Bytes of one repository, as git stores it. */
      repositoryBytes: env.REPOSITORY_MB * MIB,
      /** Bytes of all repositories. */
      bytes: env.GIT_MB * MIB,
      /** Branches, tags and other refs of one repository. */
      refs: env.MAX_REFS,
      pushesPerMinute: env.PUSHES_PER_MINUTE,
    },
    /** How often one may call. */
    calls: { callsPerSecond: env.RATE_LIMIT, signInsPerMinute: env.SIGN_IN_LIMIT },
    /** Proxies whose X-Forwarded-For is believed. */
    trustProxy: env.TRUST_PROXY ?? (false as const),
    /** PEM file of certificates that are trusted for git hosts besides the usual ones. */
    gitCaFile: env.GIT_CA_FILE,
    /** What the git provider of the users is called, and its pages in place of those of the embedded git host. */
    gitProvider: {
      name: env.GIT_PROVIDER_NAME ?? (github === undefined ? 'Cannery Git' : 'GitHub'),
      accountUrlPattern: env.GIT_ACCOUNT_URL_PATTERN,
      repositoryUrlPattern: env.GIT_REPOSITORY_URL_PATTERN,
      treeUrlPattern: env.GIT_TREE_URL_PATTERN,
      installUrl: env.GIT_INSTALL_URL,
    },
    /** The GitHub App by which users bring their repositories; undefined where the embedded git host is the provider. */
    github,
    supportUrl: env.SUPPORT_URL,
    /** Whether the sample products of the demo can be called. */
    sampleProducts: env.SAMPLE_PRODUCTS === 'on',
    /** Whether pictures of websites are taken. */
    sitePictures: env.SITE_PICTURES === 'on',
    logLevel: env.LOG_LEVEL,
    /** Whether sign-ins and refusals are logged, at every level. */
    securityLog: env.SECURITY_LOG === 'on',
    /** Where metrics are answered; undefined where they are not. */
    metrics: env.METRICS_PORT === undefined ? undefined : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    identity: identityOf(env),
    /** Whether Internet Identity signs people in as well: `on`, `off` or the address of its page. */
    internetIdentity: env.SIGN_IN_INTERNET_IDENTITY,
    publicUrlSetting: env.PUBLIC_URL,
    /** Address of the API that the console calls, when it is not this server's own; without slash at its end. */
    apiUrl: env.API_URL,
    /** Address of the console, when this server does not serve it; without slash at its end. */
    consoleUrl: env.CONSOLE_URL,
    networkUrlSetting: env.NETWORK_PUBLIC_URL,
    canisterUrlSetting: env.CANISTER_URL_PATTERN,
    candidUrlSetting: env.CANDID_URL_PATTERN,
  };
}

/** Where the console shows Candid pages, as far as that is known before it listens. */
export function candidUrlBefore(config: Config): string | undefined {
  const { port, publicUrlSetting, candidUrlSetting } = config;
  if (candidUrlSetting === undefined && publicUrlSetting === undefined && port === 0) return undefined;
  return addressesOf(config, { port, networkPort: config.networkPort }).candidUrlPattern;
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

import { z } from 'zod';
import { addresses } from './address-settings.ts';
import { StartError } from '../errors.ts';
import { githubOptions } from './github-options.ts';
import { hostOf } from './host-and-port.ts';
import { metricsOptions } from './metrics-settings.ts';
import { networkOptions } from './network-options.ts';
import { option, type OptionTable, secretOption } from './option.ts';
import { roleOptions } from './role-options.ts';
import { type FileVariable, findSecret } from './secret-files.ts';
import { signInOptions } from './sign-in-options.ts';
import { proxiesOf } from './trusted-proxies.ts';

const port = z.coerce
  .number({ error: 'must be a port number' })
  .int('must be a port number')
  .min(0, 'must be 0 to 65535')
  .max(65_535, 'must be 0 to 65535');
const trillions = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,12})?$/, 'must be an amount in T such as 2 or 0.5')
  .transform(cyclesOfTrillions);
const hosts = z.string().transform((text, problems) =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const host = hostOf(part);
      if (host === null)
        problems.addIssue(`must be hosts such as example.org or example.org:8443, not ${part}`);
      return host === null ? [] : [host];
    }),
);
const seconds = z.coerce.number({ error: 'must be a number of seconds' }).int().min(1);
const count = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(1, 'must be 1 or more');
const onByDefault = z.enum(['on', 'off'], { error: 'must be on or off' }).default('on');
const megabytes = z.coerce.number({ error: 'must be a number of MiB' }).int().min(64);

/** The sparse index of crates.io. */
export const CRATES_INDEX = 'https://index.crates.io';

/** Every option the server reads from its environment: the one list behind parsing, --help and the README. */
export const options = {
  HOST: option(z.string().min(1).default('127.0.0.1'), '127.0.0.1', 'Address to listen on'),
  PORT: option(port.default(4000), '4000', 'Port of the console, /api and /candid/ (0: any free one)'),
  NETWORK_PORT: option(
    port.default(4943),
    '4943',
    'Port of the embedded network: IC HTTP interface and canister sites',
  ),
  NETWORK_HOSTS: option(
    z.string().min(1).optional(),
    'from the addresses below',
    'More host names the embedded network answers to, with commas: net.example.com,*.sites.example.com',
  ),
  NETWORK_PROVISIONAL: option(
    z
      .string()
      .regex(/^(?:open|console|off|[a-z2-7]{5}(?:-[a-z2-7]{1,5}){2,10})$/, 'must be open, console or off')
      .optional(),
    'by HOST and addresses',
    'Who makes cycles on the embedded network: open (anybody; the default on loopback only), console, off, or a principal',
  ),
  NETWORK_FEES: option(
    z
      .enum(['docs-2026-08', 'replica-main', 'free'], { error: 'must be docs-2026-08, replica-main or free' })
      .default('docs-2026-08'),
    'docs-2026-08',
    'What things cost on the embedded network: docs-2026-08, replica-main or free',
  ),
  ...networkOptions,
  DATA_DIR: option(z.string().min(1).default('.cannery'), '.cannery', 'Folder of everything Cannery keeps'),
  PUBLIC_URL: option(
    addresses.origin.optional(),
    'http://localhost:PORT',
    'Address people use for the console, when it is behind a proxy',
  ),
  API_URL: option(
    addresses.base.optional(),
    '/api of the same origin',
    'Address of the API that the console calls, when another server answers it',
  ),
  CONSOLE_URL: option(
    addresses.origin.optional(),
    'PUBLIC_URL',
    'Address of the console, when another server serves it; its origin may call this API',
  ),
  DATABASE_URL: secretOption(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
      .optional(),
    'embedded',
    'A Postgres server to use in place of the embedded one',
  ),
  DATABASE_CONNECTIONS: option(
    z.coerce.number({ error: 'must be a number' }).int().min(4).max(1_000).default(20),
    '20',
    'Most connections to the database at a time; two more are for news and for backups',
  ),
  IC_URL: option(
    addresses.origin.optional(),
    'embedded',
    'An IC network to use in place of the embedded one',
  ),
  IC_FALLBACK_URLS: option(
    addresses.origins.optional(),
    '',
    'Other addresses of that network, by commas, which are asked when IC_URL does not answer',
  ),
  IC_NETWORK: option(
    z.enum(['mainnet', 'local'], { error: 'must be mainnet or local' }).optional(),
    'by IC_URL',
    'mainnet: the root key built in is trusted; local: the network is asked for its own',
  ),
  SECRETS_KEY_FILE: option(
    z.string().min(1).optional(),
    'made in DATA_DIR',
    'File with 64 hexadecimal digits: the key of the secrets that builds get. All servers of one database need the same',
  ),
  IC_IDENTITY_FILE: option(
    z.string().min(1).optional(),
    'made in DATA_DIR',
    'File of the key that controls the canisters and pays for them: PEM, or ic-identity.json of another DATA_DIR',
  ),
  CYCLES_LEDGER: option(
    z
      .string()
      .regex(/^[a-z2-7]{5}(-[a-z2-7]{1,5}){1,10}$/, 'must be a canister id')
      .optional(),
    'on mainnet only',
    'Canister id of the cycles ledger that pays for canisters; without one cycles come from nothing',
  ),
  NETWORK_PUBLIC_URL: option(
    addresses.origin.optional(),
    'from the network',
    'Address browsers use for the IC HTTP interface, when it is behind a proxy',
  ),
  CANISTER_URL_PATTERN: option(
    addresses.sitePattern.optional(),
    'from the network',
    'Address of a canister site, such as https://{canisterId}.icp.net/',
  ),
  CANDID_URL_PATTERN: option(
    addresses.pattern('canisterId').optional(),
    '/candid/?id={canisterId}',
    'Address of the page that calls a canister by hand',
  ),
  GIT_CA_FILE: option(
    z.string().min(1).optional(),
    '',
    'PEM file of certificates that are trusted for git hosts, besides those of the public internet',
  ),
  GIT_PROVIDER_NAME: option(
    z.string().min(1).optional(),
    'Cannery Git, or GitHub',
    'What the console calls the git provider of the users',
  ),
  GIT_ACCOUNT_URL_PATTERN: option(
    addresses.pattern('owner').optional(),
    'the embedded git host',
    'Page of an account at the git provider, such as https://git.example/{owner}',
  ),
  GIT_REPOSITORY_URL_PATTERN: option(
    addresses.pattern('owner', 'repo').optional(),
    'the embedded git host',
    'Page of a repository, such as https://git.example/{owner}/{repo}',
  ),
  GIT_TREE_URL_PATTERN: option(
    addresses.pattern('owner', 'repo', 'branch').optional(),
    'the embedded git host',
    'Page of a branch, such as https://git.example/{owner}/{repo}/tree/{branch}',
  ),
  GIT_INSTALL_URL: option(
    addresses.page.optional(),
    'the embedded git host',
    'Page where an account is connected; gets the user and deploy type in its state',
  ),
  ...githubOptions,
  ...signInOptions,
  OPENING_BALANCE_T: option(
    trillions.optional(),
    '100; 0 with a cycles ledger',
    'Cycles a new account starts with, in T',
  ),
  CANISTER_CREATE_T: option(
    trillions.refine((cycles) => cycles > 0n, { error: 'must be more than 0' }).prefault('2'),
    '2',
    'Cycles a canister creation costs and the canister starts with, in T',
  ),
  WORKER: option(
    onByDefault,
    'on',
    'Whether this process also runs deploys (off: they wait for one that does)',
  ),
  BUILD_TIMEOUT_S: option(seconds.default(900), '900', 'Longest run time of a build, in seconds'),
  BUILD_MEMORY_MB: option(megabytes.optional(), '2048 to 4096', 'Most memory of a build, in MiB'),
  BUILD_PROCESSES: option(count.default(1024), '1024', 'Most processes and threads of a build'),
  BUILD_NETWORK: option(
    z.enum(['off', 'listed'], { error: 'must be off or listed' }).default('off'),
    'off',
    'listed: build commands reach the hosts that installations of packages may reach',
  ),
  PUBLISH_TIMEOUT_S: option(seconds.default(900), '900', 'Longest time to publish a site, in seconds'),
  SITE_MAX_FILES: option(count.default(20_000), '20000', 'Most files of a static site'),
  ARTIFACTS_PER_DEPLOY: option(
    count.default(10),
    '10',
    'Successful runs of a deploy that can be rolled back to',
  ),
  ARTIFACT_MB: option(count.default(2048), '2048', 'What is kept of the runs of one user for that, in MiB'),
  SITE_MAX_MB: option(count.default(1024), '1024', 'Most size of a static site, in MiB'),
  GIT_HOSTS: option(
    hosts.prefault('github.com, gitlab.com, bitbucket.org, codeberg.org'),
    'github.com, gitlab.com, ...',
    'Hosts of public git repositories, https only',
  ),
  EGRESS_HOSTS: option(
    hosts.prefault(''),
    '',
    'More hosts that the installation of packages may reach: host or host:port',
  ),
  EGRESS_PRIVATE_HOSTS: option(
    hosts.prefault(''),
    '',
    'The same for hosts on a private network, such as an own registry or git server',
  ),
  MOPS_REGISTRY_URL: option(
    addresses.origin.prefault('https://icp-api.io'),
    'https://icp-api.io',
    'The IC network that has the registry of mops packages',
  ),
  MOPS_REGISTRY_CANISTER: option(
    z
      .string()
      .regex(/^[a-z0-9]{5}(-[a-z0-9]{3,5})+$/, 'must be a canister id')
      .default('oknww-riaaa-aaaam-qaf6a-cai'),
    'oknww-riaaa-aaaam-qaf6a-cai',
    'The canister of that registry',
  ),
  RUST_TOOLCHAIN: option(
    z
      .string()
      .regex(/^(?:off$|\/)/, 'must be off or the path of a folder, from the root')
      .optional(),
    "rustup's or the distribution's",
    'Folder of the Rust toolchain that compiles Rust canisters, with bin/cargo in it (off: none)',
  ),
  CRATES_INDEX_URL: option(
    addresses.base.prefault(CRATES_INDEX),
    CRATES_INDEX,
    'The sparse index that crates of crates.io are fetched by',
  ),
  RATE_LIMIT: option(
    count.default(50),
    '50',
    'Calls a second of one user, ten times as many at once, and 160 KiB of uploads for each; an address without sign-in has ten times as many calls',
  ),
  SIGN_IN_LIMIT: option(
    count.default(300),
    '300',
    'Steps of a sign-in, and refused sessions and access tokens, a minute and address',
  ),
  TRUST_PROXY: option(
    z
      .string()
      .transform(proxiesOf)
      .refine((proxies) => proxies !== undefined, {
        error: 'must be off, or addresses of proxies with commas between',
      })
      .prefault('off'),
    'off',
    'Addresses of the proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8,::1',
  ),
  BUILDS: option(count.default(2), '2', 'Deploys that a worker runs at the same time'),
  BUILDS_PER_USER: option(count.optional(), 'BUILDS - 1', 'Deploys of one user that run at the same time'),
  OPEN_BUILDS_PER_USER: option(count.default(20), '20', 'Deploys of one user that run or wait'),
  UPLOAD_MB: option(count.default(4096), '4096', 'All uploaded modules and icons of one user, in MiB'),
  BLOBS_S3_URL: option(
    addresses.base.optional(),
    'a folder in DATA_DIR',
    'An S3-compatible service that keeps uploaded modules and icons',
  ),
  BLOBS_S3_BUCKET: option(z.string().min(1).optional(), '', 'Bucket at that service'),
  BLOBS_S3_REGION: option(z.string().min(1).default('us-east-1'), 'us-east-1', 'Region of that bucket'),
  BLOBS_S3_ACCESS_KEY: secretOption(z.string().min(1).optional(), '', 'Access key for that bucket'),
  BLOBS_S3_SECRET_KEY: secretOption(z.string().min(1).optional(), '', 'Secret key for that bucket'),
  UPLOAD_KEEP_H: option(
    count.default(24),
    '24',
    'Hours for which an upload is kept that no registry, dapp or installation uses',
  ),
  MAX_REPOSITORIES: option(count.default(100), '100', 'Git repositories of one user'),
  REPOSITORY_MB: option(count.default(1024), '1024', 'Most of one git repository, in MiB'),
  GIT_MB: option(count.default(4096), '4096', 'Most of all git repositories of one user, in MiB'),
  MAX_REFS: option(count.default(2000), '2000', 'Branches and tags of one git repository'),
  PUSHES_PER_MINUTE: option(count.default(60), '60', 'Pushes of one user a minute'),
  SUPPORT_URL: option(
    addresses.page.prefault('https://forum.dfinity.org/'),
    'https://forum.dfinity.org/',
    'Support link',
  ),
  SAMPLE_PRODUCTS: option(
    onByDefault,
    'on',
    'Whether the sample products of the demo are there (off: no such pages and calls)',
  ),
  SITE_PICTURES: option(onByDefault, 'on', 'Whether websites that go live get a picture (Linux on x64)'),
  ...metricsOptions,
  LOG_LEVEL: option(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('warn'),
    'warn',
    'trace, debug, info, warn, error, fatal or silent',
  ),
  SECURITY_LOG: option(onByDefault, 'on', 'Whether sign-ins and refusals are logged, at every LOG_LEVEL'),
  ...roleOptions,
} as const satisfies OptionTable;

type Options = typeof options;
export type Env = { [K in keyof Options]: z.output<Options[K]['schema']> };
/** What tests and other programs may pass in place of environment variables. */
export type EnvInput = { [K in keyof Options | FileVariable<SecretName>]?: string | number };
/** Settings that a file may have in place of the environment. */
export type SecretName = {
  [K in keyof Options]: Options[K] extends { readonly secret: true } ? K : never;
}[keyof Options];

/** Cycles of a decimal amount in T with at most 12 decimals, exactly. */
export function cyclesOfTrillions(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

/**
 * Reads the options. An empty variable counts as not set.
 * @throws StartError that lists every bad option at once.
 */
export function readEnv(source: Readonly<Record<string, string | number | undefined>>): Env {
  const problems: string[] = [];
  const entries = Object.entries(options).map(([key, { schema, secret }]) => {
    const found = secret === true ? findSecret(key, source) : { value: source[key], problem: undefined };
    if (found.problem !== undefined) {
      problems.push(`  ${found.problem}`);
      return [key, undefined];
    }
    const given = found.value;
    const parsed = schema.safeParse(given === undefined || given === '' ? undefined : String(given));
    if (!parsed.success) {
      problems.push(`  ${key}: ${parsed.error.issues.map((issue) => issue.message).join(', ')}`);
    }
    return [key, parsed.data];
  });
  if (problems.length > 0) {
    throw new StartError(
      `These options cannot be used:\n${problems.join('\n')}\nRun with --help for all options.`,
    );
  }
  return Object.fromEntries(entries) as Env;
}

/** The text of --help. */
export function helpText(): string {
  const rows = Object.entries(options).map(
    ([key, { shown, help, secret }]) =>
      `  ${key.padEnd(22)}${shown.padEnd(28)}${help}${secret === true ? ' (*)' : ''}`,
  );
  return [
    'Cannery: a console for Internet Computer canisters, with its own network.',
    '',
    'Usage: npm start [-- --help | --principal | --role <role>]',
    '--principal shows the identity of this console on the network, and its balance in the cycles ledger.',
    '',
    'Options are environment variables:',
    `  ${'Name'.padEnd(22)}${'Default'.padEnd(28)}Meaning`,
    ...rows,
    '',
    '(*) A secret. A file may have it: NAME_FILE is the path of a file with the value (docs/operations/secrets.md).',
    '',
  ].join('\n');
}

import { StartError } from '../errors.ts';
import type { Env } from './env.ts';
import type { Role } from './role-options.ts';

/** What a process of a role has. What it has not is not started. */
interface RoleParts {
  /** What it answers over HTTP. */
  readonly serves: 'console' | 'door' | 'health';
  /** Where repositories are: `here`, `leased` for one folder among several, or `elsewhere`, at git roles. */
  readonly repositories: 'here' | 'leased' | 'elsewhere';
  /** Whether it ends what other processes have left, samples balances and removes what nothing uses. */
  readonly keepsHouse: boolean;
  /** Whether it runs deploys; `setting` where WORKER decides. */
  readonly works: 'setting' | 'yes' | 'no';
}

/** The roles that work on the database. The role `network` is the embedded network alone. */
const PARTS: Readonly<Record<Exclude<Role, 'network'>, RoleParts>> = {
  all: { serves: 'console', repositories: 'here', keepsHouse: true, works: 'setting' },
  api: { serves: 'console', repositories: 'elsewhere', keepsHouse: true, works: 'no' },
  worker: { serves: 'health', repositories: 'elsewhere', keepsHouse: false, works: 'yes' },
  git: { serves: 'door', repositories: 'leased', keepsHouse: false, works: 'no' },
};

/** What a process of a role starts. */
export function partsOf(role: Exclude<Role, 'network'>): RoleParts {
  return PARTS[role];
}

const SHARED = {
  DATABASE_URL: 'all roles work on one database',
  SECRETS_KEY_FILE: 'all roles seal by one key, and know each other by it',
  PUBLIC_URL: 'all roles tell one address of the console',
} as const;
const OF_CANISTERS = {
  ...SHARED,
  IC_URL: 'the network is a process of another role, or elsewhere',
  IC_IDENTITY_FILE: 'all roles control the canisters by one identity',
  BLOBS_S3_URL: 'what one process keeps of uploads and runs, others need',
} as const;

/** Settings that a role cannot do without, each with the reason. */
const NEEDED: Readonly<Record<Role, Readonly<Partial<Record<keyof Env, string>>>>> = {
  all: {},
  api: OF_CANISTERS,
  worker: OF_CANISTERS,
  git: SHARED,
  network: {},
};

/** @throws StartError that names every setting which the role needs and does not have */
export function requireSettings(env: Env): void {
  const missing = Object.entries(NEEDED[env.ROLE]).filter(([name]) => env[name as keyof Env] === undefined);
  if (missing.length === 0) return;
  const lines = missing.map(([name, reason]) => `  ${name}: ${reason}`);
  throw new StartError(
    `The role ${env.ROLE} needs more settings, the same as the other processes have:\n${lines.join('\n')}\nSee docs/operations/roles.md.`,
  );
}

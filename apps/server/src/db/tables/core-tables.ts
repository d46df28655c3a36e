import type { canisterChangeKinds } from '@cannery/contract';
import type { ColumnType, Generated } from 'kysely';
import type { CodeOrigin } from './code-origin.ts';

/** Exact cycles: numeric(40,0) in the database, BigInt here. */
type Cycles = ColumnType<bigint, bigint, bigint>;
type NullableCycles = ColumnType<bigint | null, bigint | null, bigint | null>;
type CreatedAt = Generated<Date>;

interface UsersTable {
  id: string;
  /** Who vouches for the user, and the name it knows the user by; together unique. */
  issuer: string;
  subject: string;
  /** Unique regardless of case; also the owner part of the user's repository addresses. */
  username: string;
  name: string;
  avatar: string | null;
  location: string | null;
  created_at: CreatedAt;
  signed_in_at: Generated<Date>;
}

interface SessionsTable {
  /** SHA-256 of the bearer token, hex: a copy of the table signs nobody in. */
  token_hash: string;
  /** What the owner calls the session by; it opens nothing. */
  id: Generated<string>;
  user_id: string;
  /** Browser and system in words. */
  device: Generated<string>;
  created_at: CreatedAt;
  /** Exact to a minute. */
  last_used_at: Generated<Date>;
  expires_at: Date;
}

interface SignInTokensTable {
  token_hash: string;
  user_id: string;
  /** SHA-256 of the cookie of the browser that began the sign-in. */
  browser_hash: string;
  expires_at: Date;
}

/** A sign-in under way: what the callback must match. */
interface SignInAttemptsTable {
  state_hash: string;
  /** SHA-256 of the cookie that binds the attempt to one browser. */
  browser_hash: string;
  nonce: string;
  code_verifier: string;
  expires_at: Date;
}

interface SignInChallengesTable {
  challenge_hash: string;
  /** SHA-256 of the cookie that binds the challenge to one browser. */
  browser_hash: string;
  expires_at: Date;
}

/** What the embedded OpenID provider remembers (sessions, grants, codes). */
interface OidcRecordsTable {
  kind: string;
  id: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  grant_id: string | null;
  uid: string | null;
  expires_at: Date | null;
}

/** Keys the server makes for itself once. */
interface ServerKeysTable {
  name: string;
  value: ColumnType<unknown, string, string>;
  created_at: CreatedAt;
}

interface AccountsTable {
  user_id: string;
  /** What the user owns, held cycles included. */
  balance: Cycles;
  /** The part of the balance that actions under way have reserved. */
  held: Cycles;
}

interface HoldsTable {
  id: string;
  user_id: string;
  amount: Cycles;
  purpose: string;
  created_at: CreatedAt;
}

export interface TransactionsTable {
  id: string;
  /** Order of booking; times alone may tie. */
  seq: Generated<number>;
  user_id: string;
  transaction_name: string;
  transaction_type: string;
  amount: Cycles;
  balance_before: Cycles;
  balance_after: Cycles;
  /** JSON text. */
  transaction_meta: string | null;
  /** The other side of the movement: 'deposits', or 'canister:' and the id of a canister. */
  counter_account: string;
  /** What the client called the request that was paid; a second line for it is impossible. */
  request_key: string | null;
  created_at: CreatedAt;
}

/** Every line of the history as the two entries it stands for; a view. */
interface LedgerEntriesView {
  seq: number;
  transaction_id: string;
  /** 'user:' and the id of a user, or the counter account of the line. */
  account: string;
  /** Negative where the cycles leave the account. */
  amount: bigint;
}

export interface CanistersTable {
  /** The canister id on the network. */
  id: string;
  user_id: string;
  name: string;
  /** In the order of the alphabet, each as `tagText` makes it. */
  tags: Generated<string[]>;
  cycles: NullableCycles;
  status: string;
  /** Hex; null while no code is installed. */
  module_hash: string | null;
  /** Where its code came from. */
  origin: ColumnType<CodeOrigin, string | undefined, string>;
  /** Hash of the code that this was written down for; null for an empty canister. Another one was put in by others. */
  origin_hash: Generated<string | null>;
  /** Username of who has put it in; null where that is not known. */
  origin_by: Generated<string | null>;
  origin_at: Generated<Date>;
  /**
   * Whether its code answers HTTP, as the interface says that it publishes, and the hash of that code. Asked only where nothing is
   * written down of the code; null where the interface is not known.
   */
  told_http: Generated<boolean | null>;
  told_http_hash: Generated<string | null>;
  created_at: CreatedAt;
  /** Sorted; null while the network has not been asked. */
  controllers: string[] | null;
  /** What it needs not to freeze, less reserved cycles, and what it burns a day; null while the network has not been asked. */
  freezing_need: NullableCycles;
  burned_per_day: NullableCycles;
  /** When an action of the user last changed the canister. */
  updated_at: Date | null;
  /** When the network was last asked. */
  refreshed_at: Date | null;
  /** When the canister's log was last fetched. */
  logs_fetched_at: Date | null;
  /** When the balance was last kept for the chart, or its turn to be read came. */
  sampled_at: Date | null;
  /** Lease of the one action that may run on the canister at a time. */
  action_id: string | null;
  action_expires_at: Date | null;
}

export interface CanisterLogsTable {
  id: string;
  seq: Generated<number>;
  canister_id: string;
  user_id: string;
  cycles: NullableCycles;
  module_hash: string | null;
  status: string;
  updated_at: Generated<Date>;
}

/** What an installation, or the restoring of a snapshot, will have done. */
export interface IntendedChange {
  readonly kind: (typeof canisterChangeKinds)[number];
  /** A short sentence. */
  readonly detail: string;
  /** Hex; null for a snapshot of which the console does not know the code. */
  readonly moduleHash: string | null;
  /** Where the code comes from; absent in an intent of before that was recorded. */
  readonly origin?: CodeOrigin;
  /** Whether the module was uploaded in chunks, which are to be removed afterwards. */
  readonly chunked: boolean;
  /** What tells the request from every other one under its key; only where it has a key. */
  readonly requestHash?: string;
}

/** A network call under way that must not be lost: written before the call, deleted when its outcome is booked. */
export interface IntentsTable {
  id: string;
  kind: 'create' | 'topup' | 'install' | 'restore' | 'delete';
  user_id: string;
  /** Null for what reserves nothing. */
  hold_id: string | null;
  /** Known from the start except for a creation. */
  canister_id: string | null;
  canister_name: string | null;
  /** What is paid, or what a deletion gives back; 0 for an installation. */
  cycles: Cycles;
  /**
   * What the canister had before: of a top-up only where nothing could leave it, so that its balance can tell later whether
   * the cycles have arrived; of a deletion what it pays back, null while that is to be read.
   */
  cycles_before: NullableCycles;
  /** The signed call, exactly as sent: sending it again has no second effect. */
  request_id: string;
  envelope: Buffer;
  effective_canister_id: string;
  request_expires_at: Date;
  /** `created_at_time` of the payment in the cycles ledger, in nanoseconds; null where none pays. */
  ledger_time: NullableCycles;
  /** Whether the signed call repeats a payment that an earlier message of it may have made. */
  ledger_repeated: Generated<boolean>;
  /** What the client called its request, if it did. */
  request_key: string | null;
  /** The deploy a new canister is for, and its name in the project. */
  deploy_id: string | null;
  deploy_part: Generated<string | null>;
  /** Only for an installation and for the restoring of a snapshot. */
  change: ColumnType<IntendedChange | null, string | null, string | null>;
  /** Why nobody can tell whether a top-up was carried out; the operator decides. Null for all others. */
  uncertain: Generated<string | null>;
  created_at: CreatedAt;
  /** Until then the process that wrote the intent is at work on it. */
  claimed_until: Date;
}

export interface CoreTables {
  users: UsersTable;
  sessions: SessionsTable;
  sign_in_tokens: SignInTokensTable;
  sign_in_attempts: SignInAttemptsTable;
  sign_in_challenges: SignInChallengesTable;
  oidc_records: OidcRecordsTable;
  server_keys: ServerKeysTable;
  accounts: AccountsTable;
  holds: HoldsTable;
  transactions: TransactionsTable;
  canisters: CanistersTable;
  canister_logs: CanisterLogsTable;
  ledger_entries: LedgerEntriesView;
  intents: IntentsTable;
}

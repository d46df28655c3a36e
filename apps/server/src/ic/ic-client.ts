import type { CallOutcome, SignedCall } from './replies/call-outcome.ts';
import type { CertifiedCanister } from './agent/certified.ts';
import type { NetworkPatience } from './agent/patience.ts';
import type { EnvironmentVariable, LedgerNote } from './management/funding.ts';
import type { InstallRequest } from './management/install-code.ts';
import type { SettingsChange } from '@cannery/contract';
import type { NetworkLogRecord } from './replies/canister-logs.ts';
import type { CanisterReport } from './management/canister-report.ts';
import type { Methods } from './agent/method-call.ts';
import type { Snapshots } from './management/snapshots.ts';

/**
 * The IC network, reached by its HTTP interface with the server's own identity, which controls every canister the
 * console creates. Every answer to an update is verified. Failures are AppErrors: `network_unavailable` when the network
 * cannot be reached, `network_rejected` or `install_failed` with the network's own words otherwise.
 */
export interface IcClient {
  /**
   * The same network for work for which nobody waits as for an answer: what it asks waits while the network is away, and no
   * call is carried out twice. What cannot be waited for any longer fails with NetworkGivenUpError.
   */
  patient(patience: NetworkPatience): IcClient;
  /** Principal of the server's identity: the controller of the canisters it creates. */
  readonly principal: string;
  /**
   * The key, in DER, that certificates are checked with.
   * @param options.ofMainnet that of mainnet, which is built in; else that of this network, asked for again where it is not mainnet
   */
  rootKey(options: { ofMainnet: boolean }): Promise<Uint8Array>;
  /** The time of the network, by which calls expire and what it remembers is dated. */
  now(): Date;
  /** What the clock of this server would show if it were right; behind `now` by what an embedded network was set ahead. */
  clock(): Date;
  /** Whether the network answers. Never throws. */
  isUp(): Promise<boolean>;
  createCanister(options: {
    cyclesAmount: bigint;
    environmentVariables?: readonly EnvironmentVariable[];
  }): Promise<string>;
  /** `fast` asks one replica by a query (uncertified, for lists); the default is a certified update call. */
  status(canisterId: string, options?: { fast?: boolean }): Promise<CanisterReport>;
  /** What the certified state says of a canister, whoever controls it. */
  certified(canisterId: string): Promise<CertifiedCanister>;
  /**
   * Whether the network would still know a call that it has carried out.
   * @param expiresAt when the call expired @param asOf the moment of the certified state in which the call is looked for
   */
  wouldRemember(expiresAt: Date, asOf: Date): boolean;
  start(canisterId: string): Promise<void>;
  /** Resolves when the canister has stopped. */
  stop(canisterId: string): Promise<void>;
  topUp(canisterId: string, cycles: bigint): Promise<void>;
  /** Changes settings; what is absent stays. Every principal in the change must be well-formed. */
  updateSettings(canisterId: string, change: SettingsChange): Promise<void>;
  /** What the canister wrote, from a record's index on, as far as the network still keeps it; oldest first. */
  logs(canisterId: string, from: bigint): Promise<NetworkLogRecord[]>;
  readonly snapshots: Snapshots;
  readonly methods: Methods;
  /** Certified content of a metadata section of the installed module; undefined when there is none. */
  metadata(canisterId: string, name: string): Promise<Uint8Array | undefined>;
  /** Certified SHA-256 (hex) of the installed module; null when no code is installed. */
  moduleHash(canisterId: string): Promise<string | null>;
  /** An update call with Candid-encoded arguments; answers the Candid-encoded reply. */
  call(canisterId: string, method: string, arg: Uint8Array): Promise<Uint8Array>;
  query(canisterId: string, method: string, arg: Uint8Array): Promise<Uint8Array>;
  /** Signs a creation without sending it. */
  signCreate(options: {
    cyclesAmount: bigint;
    environmentVariables?: readonly EnvironmentVariable[];
  }): Promise<SignedCall>;
  /** Signs a top-up without sending it. */
  signTopUp(canisterId: string, cycles: bigint): Promise<SignedCall>;
  /** Signs an installation without sending it; the chunks of a large module are uploaded before. */
  signInstall(request: InstallRequest): Promise<SignedCall>;
  /** Signs the restoring of a snapshot (hex), code and memory, without sending it. */
  signRestore(canisterId: string, snapshotId: string): Promise<SignedCall>;
  /** Removes the chunks of a large module, which cost the canister cycles. */
  clearChunks(canisterId: string): Promise<void>;
  /** Signs the deletion of a stopped canister without sending it. */
  signDelete(canisterId: string): Promise<SignedCall>;
  /** Whether the cycles of a deleted canister are the console's to give back. */
  readonly givesCyclesBack: boolean;
  /** Sends a signed call and waits for its outcome; safe to repeat with the same call. `isFresh`: nobody sent it before. */
  submit(call: SignedCall, options?: { isFresh: boolean }): Promise<CallOutcome>;
  /** The certified outcome of a call sent earlier, without sending it. */
  outcome(call: SignedCall): Promise<CallOutcome>;
  /** The same payment by the cycles ledger in a new message, which the ledger carries out once with all others of it. */
  signAgain(call: SignedCall): Promise<SignedCall>;
  /** The canister id in the reply of a creation that was carried out. */
  createdCanisterId(reply: Uint8Array): string;
  /** What the reply to a payment that was carried out says of the ledger; undefined where none pays. */
  ledgerNote(kind: 'create' | 'topup', reply: Uint8Array): LedgerNote | undefined;
  /** Cycles that the console's account in the cycles ledger holds; undefined where no ledger pays. */
  ledgerBalance(): Promise<bigint | undefined>;
}

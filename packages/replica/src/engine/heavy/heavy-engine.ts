import { stoppedClock } from '../../clock.ts';
import { Fees } from '../../cycles/fees.ts';
import { ReplicaError } from '@cannery/ic/errors';
import { CodeCache } from '../../execution/run/code-cache.ts';
import type { Environment } from '../../execution/environment.ts';
import { inspectMessage } from '../../execution/ingress.ts';
import type { CompiledModule } from '../../execution/run/loaded-code.ts';
import { ModuleCache } from '../../execution/run/module-cache.ts';
import { executeQuery, type Query, type QueryAnswer } from '../../execution/query.ts';
import { type ErrorData, errorData, RecordingRunner } from '../../execution/run/recorded-run.ts';
import { type Runner, SlicedRunner, SliceExceeded } from '../../execution/run/run.ts';
import { queryFromCanister } from '../../management/dispatch.ts';
import type { IngressMessage, Print } from '../../messages.ts';
import { executeMessage } from '../../scheduler/execute-message.ts';
import { type Canister, memoryIdentity, type QueryStatistics } from '../../state/canister.ts';
import { type IdKey, idKey } from '../../state/canister-id.ts';
import { NEW_SUBNET, SubnetState } from '../../state/subnet-state.ts';
import { Transaction } from '../../state/transaction.ts';
import type { SubnetInfo } from '../../system-api/message-context.ts';
import { StaleCertificate } from '../../system-api/identity-functions.ts';
import {
  canisterFrom,
  type CanisterImage,
  type HeavyConfiguration,
  type HeavyJob,
  type HeavyResult,
} from './heavy-protocol.ts';
import { RemoteStore, TornRead } from './remote-store.ts';
import type { SyncChannel } from './sync-channel.ts';

/** Heaps kept from job to job, for a canister that has several in a row. */
const KEPT_BYTES = 256 * 1024 * 1024;
const KEPT_CANISTERS = 64;
/** More instructions than anything may use. */
const NO_BOUND = 1n << 62n;

type MessageJob = HeavyJob & { readonly type: 'message' };

/** Carries out jobs on committed state that it asks for; what comes of them is told, never stored. */
export class HeavyEngine {
  readonly #store: RemoteStore;
  readonly #configuration: HeavyConfiguration;
  readonly #codes: CodeCache;
  readonly #subnet: SubnetInfo;
  readonly #fees: Fees;
  /** Loaded canisters, with the state they were loaded in or brought to. */
  readonly #held = new Map<IdKey, string>();
  readonly #used = new Map<string, CompiledModule>();
  #refusal: ErrorData | undefined;
  #hardBytes = 0;

  constructor(channel: SyncChannel, configuration: HeavyConfiguration, print: (print: Print) => void) {
    this.#configuration = configuration;
    this.#store = new RemoteStore(channel, configuration.dataDir);
    this.#fees = new Fees(configuration.fees, configuration.nodes);
    const { subnetId, rootKeyDer, prints, canisterBytes } = configuration;
    this.#subnet = { subnetId, rootKeyDer, ...(prints && { print }) };
    const modules = new ModuleCache({
      elsewhere: (hash) => this.#store.module(hash),
      onUsed: (hash, compiled) => this.#used.set(hash, compiled),
      onRefused: (error) => {
        this.#refusal = errorData(error);
      },
    });
    this.#codes = new CodeCache(this.#store, modules, {
      budgetBytes: KEPT_BYTES,
      maxCanisters: KEPT_CANISTERS,
      canisterBytes,
      hardBytes: () => this.#hardBytes,
    });
  }

  get residentBytes(): number {
    return this.#codes.residentBytes;
  }

  carryOut(job: HeavyJob): HeavyResult {
    this.#used.clear();
    this.#refusal = undefined;
    this.#hardBytes = job.hardBytes;
    try {
      if (job.type === 'message') return this.#message(job);
      return job.type === 'query' ? this.#query(job, job.query) : this.#inspect(job, job.message);
    } catch (error) {
      if (error instanceof TornRead) return { type: 'torn' };
      if (error instanceof SliceExceeded) return { type: 'overflow' };
      throw error;
    } finally {
      this.#codes.trim();
    }
  }

  /** What this thread has in memory of the canister is what is stored. */
  kept(canister: IdKey, identity: string): void {
    this.#held.set(canister, identity);
  }

  #message(job: MessageJob): HeavyResult {
    const state = this.#state(job);
    const canister = this.#take(job.canister);
    state.adopt(canister);
    const module = canister.record.code && idKey(canister.record.code.moduleHash);
    // Until the outcome is committed, nobody knows whether it will be.
    this.#held.delete(canister.key);
    const runner = new RecordingRunner(job.slice);
    // Deliveries are decided where the outcome is committed, so the transaction knows of no other canister.
    const here = new SubnetState(state.record, state.seed);
    here.adopt(canister);
    const tx = new Transaction(here, this.#store, job.timeNanos);
    executeMessage(this.#environment(job, state, runner), tx, job.owner, job.message);
    return {
      type: 'message',
      runs: runner.runs,
      modules: [...this.#used]
        .filter(([hash]) => !(job.hasModule && hash === module))
        .map(([hash, compiled]) => ({ hash, compiled })),
      refusal: this.#refusal,
      identity: memoryIdentity(canister.record),
    };
  }

  #query(job: HeavyJob, query: Query): HeavyResult {
    const state = this.#state(job);
    const runner = runnerFor(job);
    const answer = this.#answer(this.#environment(job, state, runner), query);
    runner.end();
    return { type: 'query', answer, statistics: state.addedStatistics() };
  }

  /** Nothing when the certificate does not certify the current data. */
  #answer(env: Environment, query: Query): QueryAnswer | undefined {
    try {
      return executeQuery(env, query);
    } catch (error) {
      if (error instanceof StaleCertificate) return undefined;
      throw error;
    }
  }

  #inspect(job: HeavyJob, message: IngressMessage): HeavyResult {
    const state = this.#state(job);
    const canister = state.find(message.canisterId);
    if (!canister?.record.code) return { type: 'inspect', error: undefined };
    const runner = runnerFor(job);
    const error = this.#refusalOf(() =>
      inspectMessage(this.#environment(job, state, runner), canister, message),
    );
    runner.end();
    return { type: 'inspect', error };
  }

  #refusalOf(inspect: () => void): ErrorData | undefined {
    try {
      inspect();
      return undefined;
    } catch (error) {
      if (error instanceof ReplicaError) return errorData(error);
      throw error;
    }
  }

  #state({ timeNanos }: HeavyJob): RemoteState {
    return new RemoteState(timeNanos, (key) => {
      const image = this.#store.canister(key);
      return image && this.#take(image);
    });
  }

  /** Forgets what is in memory of the canister unless it is what the image belongs to. */
  #take(image: CanisterImage): Canister {
    const canister = canisterFrom(image);
    const identity = memoryIdentity(canister.record);
    if (this.#held.get(canister.key) !== identity) this.#codes.forget(canister);
    this.#held.set(canister.key, identity);
    return canister;
  }

  #environment({ timeNanos, subnetBytes }: HeavyJob, state: SubnetState, runner: Runner): Environment {
    return {
      state,
      store: this.#store,
      codes: this.#codes,
      runner,
      clock: stoppedClock(timeNanos),
      subnet: this.#subnet,
      limits: this.#configuration.limits,
      fees: this.#fees,
      memory: { totalBytes: subnetBytes },
      httpOutcalls: 'off',
      provisional: 'nobody',
      ...(this.#configuration.idRanges && { idRanges: this.#configuration.idRanges }),
      managementQuery: queryFromCanister,
    };
  }
}

/** For what is not carried out again anywhere else, unless it needs more than the slice of the job. */
function runnerFor({ slice = NO_BOUND }: HeavyJob): SlicedRunner {
  const runner = new SlicedRunner({ message: 0n, query: slice });
  runner.begin('query');
  return runner;
}

/** The state of the subnet with only those canisters that were asked for. */
class RemoteState extends SubnetState {
  readonly #fetch: (key: IdKey) => Canister | undefined;
  readonly #statistics = new Map<IdKey, QueryStatistics>();

  constructor(timeNanos: bigint, fetch: (key: IdKey) => Canister | undefined) {
    super({ ...NEW_SUBNET, timeNanos }, new Uint8Array(0));
    this.#fetch = fetch;
  }

  override find(id: Uint8Array): Canister | undefined {
    const known = super.find(id);
    if (known) return known;
    const fetched = this.#fetch(idKey(id));
    if (!fetched) return undefined;
    this.adopt(fetched);
    this.#statistics.set(fetched.key, { ...fetched.record.queryStatistics });
    return fetched;
  }

  /** What queries added to the statistics of the canisters. */
  addedStatistics(): (readonly [IdKey, QueryStatistics])[] {
    return [...this.#statistics].map(([key, before]) => {
      const now = this.canisters.get(key)?.record.queryStatistics ?? before;
      return [
        key,
        {
          calls: now.calls - before.calls,
          instructions: now.instructions - before.instructions,
          requestBytes: now.requestBytes - before.requestBytes,
          responseBytes: now.responseBytes - before.responseBytes,
        },
      ];
    });
  }
}

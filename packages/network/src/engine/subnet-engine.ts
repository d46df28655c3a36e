import { systemClock } from '../clock.ts';
import { ReplicaError } from '../errors.ts';
import { CodeCache } from '../execution/code-cache.ts';
import type { Environment } from '../execution/environment.ts';
import { executeQuery } from '../execution/query.ts';
import { DEFAULT_INSTRUCTION_LIMITS, DEFAULT_LOADED_BYTES } from '../limits.ts';
import { queryManagement } from '../management/dispatch.ts';
import type { Admission, IngressMessage, QueryMessage, QueryResult } from '../messages.ts';
import { DueWork } from '../scheduler/due-work.ts';
import { Scheduler } from '../scheduler/scheduler.ts';
import { idKey } from '../state/canister-id.ts';
import { SubnetState } from '../state/subnet-state.ts';
import type { Committed } from '../state/transaction.ts';
import type { DurableStore } from '../store/durable-store.ts';
import { StaleCertificate } from '../system-api/stale-certificate.ts';
import { admit } from './admission.ts';
import { BlobSweeper } from './blob-sweeper.ts';
import type { EngineConfiguration } from './protocol.ts';
import { type Publication, Publisher } from './publisher.ts';
import { snapshot } from './snapshot.ts';

/** Longest time messages run before queries and new messages are looked at again. */
const SLICE_MS = 5;

/** The subnet inside its thread: owns the canisters, runs their messages, commits and publishes the results. */
export class SubnetEngine {
  readonly #store: DurableStore;
  readonly #env: Environment;
  readonly #publisher: Publisher;
  readonly #scheduler: Scheduler;
  readonly #dueWork: DueWork;
  readonly #sweeper: BlobSweeper;
  readonly #onFailure: (error: unknown) => void;
  #pumping = false;
  #closed = false;

  /** `onFailure` hears of errors of this program, after which the engine must not go on. */
  constructor(
    store: DurableStore,
    configuration: EngineConfiguration,
    send: (publication: Publication) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#onFailure = onFailure;
    const state = SubnetState.load(store);
    this.#env = {
      state,
      store,
      codes: new CodeCache(store, configuration.loadedBytes ?? DEFAULT_LOADED_BYTES),
      clock: systemClock(state.record.timeNanos),
      subnet: { subnetId: configuration.subnetId, rootKeyDer: configuration.rootKeyDer },
      limits: { ...DEFAULT_INSTRUCTION_LIMITS, ...configuration.instructionLimits },
    };
    this.#publisher = new Publisher((sequence) => store.durable(sequence), send);
    this.#scheduler = new Scheduler(this.#env, (committed) => this.#committed(committed));
    this.#sweeper = new BlobSweeper(state, store);
    this.#sweeper.sweepAll();
    this.#dueWork = new DueWork(this.#env, this.#scheduler, () => this.#pump());
    this.#pump();
  }

  /** See `Engine.submit`; resolves once the message is on disk. */
  async submit(message: IngressMessage): Promise<Admission> {
    const { requestId, sender, effectiveCanisterId, expiryNanos } = message;
    if (this.#env.state.requests.get(idKey(requestId))) return { accepted: true };
    try {
      admit(this.#env, message);
    } catch (error) {
      if (!(error instanceof ReplicaError)) throw error;
      return { accepted: false, malformed: error.malformed, ...error.rejection() };
    }
    const { sequence } = this.#scheduler.change((tx) => {
      tx.setRequest({ requestId, sender, effectiveCanisterId, expiryNanos }, { status: 'received' });
      tx.enqueue(idKey(message.canisterId), {
        kind: 'request',
        origin: { kind: 'ingress', requestId },
        caller: sender,
        method: message.method,
        arg: message.arg,
        cycles: 0n,
        deadline: expiryNanos,
      });
    });
    this.#pump();
    await this.#store.durable(sequence);
    return { accepted: true };
  }

  /** See `Engine.query`. */
  async query(message: QueryMessage): Promise<QueryResult> {
    if (message.canisterId.length === 0) return queryManagement(this.#env, message);
    try {
      return executeQuery(this.#env, {
        canisterId: message.canisterId,
        method: message.method,
        arg: message.arg,
        caller: message.sender,
        certificate: message.dataCertificate,
      });
    } catch (error) {
      if (!(error instanceof StaleCertificate)) throw error;
      // Whoever asks again has then seen the data that is to be certified.
      await this.#publisher.flushed();
      return { status: 'stale-certificate' };
    } finally {
      this.#env.codes.trim();
    }
  }

  /** Publishes the whole state under this number; later deltas continue it. */
  subscribe(subscription: number): void {
    this.#publisher.publishSnapshot(subscription, snapshot(this.#env.state, this.#store));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#dueWork.stop();
    this.#sweeper.stop();
    await this.#publisher.flushed();
    this.#store.checkpoint();
    this.#store.close();
  }

  #committed(committed: Committed): void {
    this.#publisher.publish(committed.sequence, committed.delta);
    this.#sweeper.afterCommit(committed.sequence, committed.releasedBlobs);
    this.#dueWork.afterCommit(committed);
  }

  /** Runs messages in slices until the queues are empty. */
  #pump(): void {
    if (this.#pumping || this.#closed || this.#scheduler.idle) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (this.#closed) return;
      try {
        const end = performance.now() + SLICE_MS;
        while (performance.now() < end && this.#scheduler.step());
      } catch (error) {
        this.#closed = true;
        this.#onFailure(error);
        return;
      }
      this.#pump();
    });
  }
}

import type { BackupMoment } from '@cannery/store/backup/backup-moment';
import { totalmem } from 'node:os';
import { setImmediate as setImmediatePromise } from 'node:timers/promises';
import { DEFAULT_FEE_PROFILE, FEE_SCHEDULES } from '../cycles/fee-schedule.ts';
import { Fees } from '../cycles/fees.ts';
import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { CodeCache } from '../execution/run/code-cache.ts';
import { ModuleCache, type ModuleShelf, preparedModules } from '../execution/run/module-cache.ts';
import { SlicedRunner } from '../execution/run/run.ts';
import { chargeIngress } from '../execution/ingress.ts';
import { DEFAULT_INSTRUCTION_LIMITS, DEFAULT_LOADED_BYTES, MAX_HEAP64_BYTES } from '@cannery/ic/limits';
import { queryFromCanister } from '../management/dispatch.ts';
import { principal } from '../management/method/method.ts';
import { finishOutcall, rejectLostOutcalls } from '../management/outcalls/http-request.ts';
import type {
  Admission,
  EngineFigures,
  IngressMessage,
  Print,
  QueryMessage,
  QueryResult,
  Survey,
} from '../messages.ts';
import { seededRandomness } from '../random.ts';
import type { RequestLeaf } from '@cannery/ic/state-leaves';
import { DueWork } from '../scheduler/due-work.ts';
import { Scheduler, type SlicedEnvironment } from '../scheduler/scheduler.ts';
import type { SubnetTime } from '../clock.ts';
import type { Canister } from '../state/canister.ts';
import { idKey } from '../state/canister-id.ts';
import { SubnetState } from '../state/subnet-state.ts';
import type { Committed } from '../state/committed.ts';
import type { DurableStore } from '@cannery/store/durable-store';
import type { StoreDamagedError } from '@cannery/store/files/errors';
import { IngressAdmission } from './heavy/admission.ts';
import { BlobSweeper } from './blob-sweeper.ts';
import { KeptTime, openTime } from './time/kept-time.ts';
import { OutcallSwitch } from './outcalls/outcall-switch.ts';
import { Outcalls } from './outcalls/outcalls.ts';
import { Pauses } from './pauses.ts';
import { HeavyPool } from './heavy/heavy-pool.ts';
import { DEFAULT_HEAVY_SETTINGS } from './heavy/heavy-settings.ts';
import type { EngineThreadConfiguration } from './protocol.ts';
import { isEmpty, type Publication, Publisher, snapshot } from './publisher.ts';
import { Queries } from './queries.ts';
import { Rounds } from './steps/rounds.ts';
import { SubnetFigures } from './subnet-figures.ts';
import { surveyCanisters } from './survey.ts';
import { MethodUse } from '../scheduler/method-use.ts';
import { StateStamps } from './state-stamps.ts';
import { TestControl } from './steps/test-control.ts';
import { TimeMachine } from './time/time-machine.ts';
import { ViewedStore } from './heavy/read-view.ts';

/** Memory of canisters that is allowed however small the machine is, in bytes. */
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;
/** Longest time messages run before queries and new messages are looked at again. */
const PUMP_BUDGET_MS = 5;

/** The subnet inside its thread: owns the canisters, runs their messages, commits and publishes the results. */
export class SubnetEngine {
  readonly pauses: Pauses;
  readonly #durable: DurableStore;
  readonly #store: ViewedStore;
  readonly #env: SlicedEnvironment;
  readonly #heavy: HeavyPool;
  readonly #admission: IngressAdmission;
  readonly #queries: Queries;
  readonly #stamps: StateStamps;
  readonly #figures: SubnetFigures;
  readonly #methods = new MethodUse();
  readonly #timeMachine: TimeMachine;
  readonly #keptTime: KeptTime;
  readonly #publisher: Publisher;
  readonly #scheduler: Scheduler;
  readonly #dueWork: DueWork;
  readonly #sweeper: BlobSweeper;
  readonly #outcalls: Outcalls;
  readonly #outcallSwitch: OutcallSwitch;
  readonly #rounds: Rounds;
  /** What tests may do; there only where rounds are asked for. */
  readonly control: TestControl | undefined;
  readonly #onFailure: (error: unknown) => void;
  /** Requests as the start read them, for the first who subscribes; those that changed since are gone. */
  readonly #readRequests = new Map<string, RequestLeaf>();
  /** One message at a time, so that how fast they run does not decide on their order. */
  readonly #isOrdered: boolean;
  #pumping = false;
  #closed = false;

  /**
   * `onFailure` hears of errors of this program, after which the engine must not go on. `modules`: where prepared modules are kept;
   * in the store where not given.
   */
  constructor(
    store: DurableStore,
    configuration: EngineThreadConfiguration,
    send: (publication: Publication) => void,
    onFailure: (error: unknown) => void,
    print?: (print: Print) => void,
    modules: ModuleShelf = preparedModules(store),
  ) {
    this.#durable = store;
    this.#store = new ViewedStore(store);
    this.#onFailure = onFailure;
    const seed = configuration.steps?.seed;
    this.#isOrdered = seed !== undefined;
    const state = store.inBulk(() =>
      SubnetState.load(store, (id, leaf) => this.#readRequests.set(id, leaf), seed),
    );
    this.#figures = new SubnetFigures(state);
    this.#rounds = new Rounds(configuration.steps !== undefined);
    const time = openTime(configuration, state.record);
    const heavy = { ...DEFAULT_HEAVY_SETTINGS, ...configuration.heavy };
    const memoryBytes = configuration.memoryBytes ?? Math.max(MIN_MEMORY_BYTES, machineBytes() / 2);
    const canisterBytes = configuration.canisterBytes ?? Number(MAX_HEAP64_BYTES);
    const outcallSwitch = (this.#outcallSwitch = new OutcallSwitch(configuration, state.record));
    this.#env = {
      state,
      store: this.#store,
      codes: new CodeCache(this.#store, new ModuleCache({ largestBytes: heavy.prepareBytes, ...modules }), {
        budgetBytes: configuration.loadedBytes ?? DEFAULT_LOADED_BYTES,
        canisterBytes,
        hardBytes: () => Math.max(0, memoryBytes - this.#heavy.residentBytes),
        onDamage: reportDamage,
      }),
      runner: new SlicedRunner({ message: heavy.messageSlice, query: heavy.querySlice }),
      clock: time,
      subnet: {
        subnetId: configuration.subnetId,
        rootKeyDer: configuration.rootKeyDer,
        ...(print && { print }),
      },
      limits: { ...DEFAULT_INSTRUCTION_LIMITS, ...configuration.instructionLimits },
      fees: new Fees(FEE_SCHEDULES[configuration.fees ?? DEFAULT_FEE_PROFILE]),
      memory: this.#figures.memory,
      get httpOutcalls() {
        return outcallSwitch.policy;
      },
      provisional: configuration.provisional ?? 'anyone',
      ...(seed && { random: seededRandomness(seed) }),
      ...(configuration.idRanges && { idRanges: configuration.idRanges }),
      managementQuery: queryFromCanister,
    };
    this.#publisher = new Publisher((sequence) => store.durable(sequence), send);
    this.#heavy = new HeavyPool({
      env: this.#env,
      store: this.#store,
      settings: heavy,
      memoryBytes,
      worker: {
        configuration: {
          dataDir: configuration.dataDir,
          rootKeyDer: configuration.rootKeyDer,
          subnetId: configuration.subnetId,
          limits: this.#env.limits,
          fees: this.#env.fees.schedule,
          nodes: this.#env.fees.nodes,
          prints: print !== undefined,
          canisterBytes,
          ...(configuration.idRanges && { idRanges: configuration.idRanges }),
        },
        stackMb: configuration.stackMb,
        print: (each) => print?.(each),
      },
      onFailure: (error) => this.#fail(error),
    });
    this.#admission = new IngressAdmission(this.#env, this.#heavy);
    this.#stamps = new StateStamps(configuration.stamps);
    this.#queries = new Queries(this.#env, this.#heavy, {
      stamps: this.#stamps,
      methods: this.#methods,
      published: () => this.#publisher.sent(),
    });
    this.#scheduler = new Scheduler(this.#env, this.#heavy, {
      onCommit: (committed) => this.#committed(committed),
      onWork: () => this.#pump(),
      onExecuted: (owner, message, used) =>
        this.#methods.noteMessage(owner, message, used.instructions, used.cycles),
    });
    this.pauses = new Pauses(this.#scheduler, () => this.#publisher.sent());
    this.#outcalls = new Outcalls(outcallSwitch.whenOn, {
      query: (message) => this.query(message),
      finish: (id, outcome) => {
        this.#scheduler.change((tx) => finishOutcall(tx, id, outcome));
        this.#pump();
      },
    });
    this.#sweeper = new BlobSweeper(state, store);
    this.#sweeper.sweepAll();
    this.#dueWork = new DueWork(this.#env, this.#scheduler, () => this.#pump());
    this.#timeMachine = new TimeMachine({
      env: this.#env,
      time,
      scheduler: this.#scheduler,
      dueWork: this.#dueWork,
      idle: () => this.#idle(),
    });
    this.#keptTime = new KeptTime(this.#env, this.#scheduler, (error) => this.#fail(error));
    this.control = configuration.steps && this.#testControl(time);
    if (state.outcalls.size > 0) this.#scheduler.change(rejectLostOutcalls);
    this.#pump();
  }

  /** See `Engine.submit`; resolves once the message is on disk. */
  async submit(message: IngressMessage): Promise<Admission> {
    const { requestId, canisterId, sender, effectiveCanisterId, expiryNanos } = message;
    if (this.#env.state.requests.get(idKey(requestId))) return { accepted: true };
    let payer: Canister | undefined;
    try {
      if (this.#durable.isDiskLow) throw replicaErrors.diskLow();
      const inspection = this.#admission.inspect(message);
      if (inspection) await inspection;
      payer = this.#admission.check(message);
    } catch (error) {
      if (!(error instanceof ReplicaError)) throw error;
      return { accepted: false, malformed: error.malformed, ...error.rejection() };
    }
    // The same request may have come in again while it was inspected.
    if (this.#env.state.requests.get(idKey(requestId))) return { accepted: true };
    const { sequence } = this.#scheduler.change((tx) => {
      if (payer) chargeIngress(this.#env, tx, payer, message.bytes);
      tx.setRequest(
        { requestId, canisterId, sender, effectiveCanisterId, expiryNanos },
        { status: 'received' },
      );
      tx.enqueue(idKey(message.canisterId), {
        kind: 'request',
        origin: { kind: 'ingress', requestId },
        caller: sender,
        ...(message.callerInfo && { callerInfo: message.callerInfo }),
        method: message.method,
        arg: message.arg,
        cycles: 0n,
        // What others date by their clocks, put into the network's time.
        deadline: expiryNanos + this.#aheadNanos(),
      });
    });
    this.#pump();
    await this.#durable.durable(sequence);
    return { accepted: true };
  }

  /** See `Engine.query`. */
  query(message: QueryMessage): Promise<QueryResult> {
    return this.#queries.answer(message);
  }

  /** See `Engine.setTime` and `Engine.advanceTime`; resolves once what happened on the way is published. Throws `RangeError`. */
  async travel(nanos: bigint, from: 'epoch' | 'now'): Promise<void> {
    await (from === 'now' ? this.#timeMachine.advance(nanos) : this.#timeMachine.setTime(nanos));
    await this.#publisher.flushed();
  }

  /** See `StartedEngine.outcalls`; resolves once what was switched is on disk, and with nothing where there is no switch. */
  async outcalls(on?: boolean): Promise<boolean | undefined> {
    if (on !== undefined) {
      if (!this.#outcallSwitch.isThere) return undefined;
      const { sequence } = this.#scheduler.change((tx) => OutcallSwitch.turn(tx, on));
      await this.#durable.durable(sequence);
    }
    return this.#env.httpOutcalls !== 'off';
  }

  /** See `Engine.backup`. */
  backup(to: string, moment?: BackupMoment): Promise<void> {
    return this.#durable.backup(to, moment);
  }

  /** See `Engine.figures`. */
  get figures(): EngineFigures {
    const { canisters, stateBytes, consumedCycles, updateTransactions } = this.#figures.metrics;
    const { runner } = this.#env;
    return {
      canisters,
      stateBytes,
      messages: Number(updateTransactions),
      instructions: Number(runner.used + this.#scheduler.heavyInstructions + this.#heavy.queryInstructions),
      consumedCycles: Number(consumedCycles),
      aheadSeconds: Number(this.#aheadNanos()) / 1e9,
      waiting: this.#scheduler.waiting,
      heavy: this.#scheduler.locked,
      store: {
        commits: this.#durable.sequence,
        ...this.#durable.progress,
        hasFailed: this.#durable.checkpointFailure !== undefined,
        isDiskLow: this.#durable.isDiskLow,
      },
    };
  }

  /** See `Engine.survey`. */
  survey(canisterIds: readonly Uint8Array[]): Survey {
    return { canisters: surveyCanisters(this.#env, canisterIds), use: this.#methods.totals };
  }

  /** Publishes the whole state under this number; later deltas continue it. */
  subscribe(subscription: number): void {
    const all = snapshot(this.#env.state, this.#store, this.#readRequests);
    this.#publisher.publishSnapshot(subscription, { ...all, metrics: this.#figures.metrics });
    this.#readRequests.clear();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#dueWork.stop();
    this.#sweeper.stop();
    this.pauses.stop();
    this.#figures.stop();
    this.#outcalls.stop();
    await this.#heavy.close();
    this.#keptTime.close();
    await this.#publisher.flushed();
    await this.#durable.close();
  }

  /** By how much the network's time is ahead of the machine's clock, which was set back. */
  #aheadNanos(): bigint {
    const { clock } = this.#env;
    const ahead = clock.now() - clock.machine();
    return ahead > 0n ? ahead : 0n;
  }

  #committed(committed: Committed): void {
    this.#stamps.afterCommit(committed);
    this.#figures.afterCommit(committed);
    if (this.#readRequests.size > 0)
      for (const { requestId } of committed.delta.requests) this.#readRequests.delete(idKey(requestId));
    this.#publish(committed);
    this.#sweeper.afterCommit(committed.sequence, committed.releasedBlobs);
    this.#dueWork.afterCommit(committed);
    this.#outcalls.start(committed.outcalls);
  }

  /** Figures of the subnet go with what else is certified; where there is nothing else they follow. */
  #publish({ sequence, delta }: Committed): void {
    const empty = isEmpty(delta);
    this.#publisher.publish(sequence, empty ? delta : { ...delta, metrics: this.#figures.metrics });
    if (empty) this.#figures.later((metrics) => this.#publisher.publishFigures(metrics));
  }

  #fail(error: unknown): void {
    this.#closed = true;
    this.#onFailure(error);
  }

  #testControl(time: SubnetTime): TestControl {
    return new TestControl({
      env: this.#env,
      time,
      scheduler: this.#scheduler,
      dueWork: this.#dueWork,
      rounds: this.#rounds,
      outcalls: this.#outcalls,
      submit: (message) => this.submit(message),
      pump: () => this.#pump(),
      idle: () => this.#idle(),
      flushed: () => this.#publisher.flushed(),
    });
  }

  /** Resolves when no message waits, but for the next round, or runs; false when the engine is closing. */
  async #idle(): Promise<boolean> {
    while (!this.#closed && this.#rounds.isOpen && !this.#scheduler.settled) await setImmediatePromise();
    return !this.#closed;
  }

  /** Runs messages in slices until the queues are empty. */
  #pump(): void {
    if (this.#pumping || this.#closed || !this.#rounds.isOpen || this.#scheduler.idle) return;
    // The end of what runs in another thread calls this again.
    if (this.#isOrdered && this.#scheduler.locked > 0) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (this.#closed) return;
      try {
        const end = performance.now() + PUMP_BUDGET_MS;
        if (this.#isOrdered) {
          if (this.#rounds.take()) this.#scheduler.step();
        } else while (performance.now() < end && this.#rounds.take() && this.#scheduler.step());
      } catch (error) {
        this.#fail(error);
        return;
      }
      this.#pump();
    });
  }
}

/** For the operator, on the network's standard error. */
function reportDamage({ id }: Canister, { message }: StoreDamagedError): void {
  process.emitWarning(`Canister ${principal(id).toText()} is set apart; all others go on. ${message}`);
}

/** Memory of the machine, or of the container where that has less. */
function machineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

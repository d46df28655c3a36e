import type { BackupMoment } from '@cannery/store/backup/backup-moment';
import { DurableStore } from '@cannery/store/durable-store';
import type { StateDelta } from '@cannery/ic/state-leaves';
import { MAX_WASM_MODULE_BYTES } from '@cannery/ic/limits';
import { ModuleCache } from '../execution/run/module-cache.ts';
import { LATEST_TIME_NANOS, TOO_FAR } from '../clock.ts';
import type {
  Admission,
  Engine,
  EngineFigures,
  IngressMessage,
  Print,
  QueryMessage,
  QueryResult,
  Survey,
} from '../messages.ts';
import type { TestControls } from '../test-controls.ts';
import { STACK_MB } from './host.ts';
import type { EngineConfiguration } from './protocol.ts';
import type { Publication } from './publisher.ts';
import { SubnetEngine } from './subnet-engine.ts';

/** Modules that engines of this thread have prepared, by their hash: each test of a file installs the same ones. */
const prepared = new ModuleCache();

/**
 * An engine in the thread of who opened it, for tests: it starts without a thread, and what a canister does within a slice runs on this
 * thread's stack. What goes beyond a slice runs in threads as everywhere. Bytes that are handed over must not be changed afterwards.
 */
export class EngineHere implements Engine {
  readonly failed: Promise<Error>;
  readonly controls: TestControls;
  readonly #engine: SubnetEngine;
  readonly #listeners = new Map<number, { readonly listen: (delta: StateDelta) => void; started: boolean }>();
  readonly #printListeners: ((print: Print) => void)[] = [];
  #nextSubscription = 0;

  /** Opens the engine on its data folder; throws what `DurableStore.open` throws. */
  constructor(configuration: EngineConfiguration & Required<Pick<EngineConfiguration, 'steps'>>) {
    const failure = Promise.withResolvers<Error>();
    this.failed = failure.promise;
    const { dataDir, diskReserveBytes: reserveBytes } = configuration;
    this.#engine = new SubnetEngine(
      DurableStore.open(dataDir, reserveBytes === undefined ? {} : { reserveBytes }),
      {
        ...configuration,
        stackMb: STACK_MB,
        heavy: { prepareBytes: MAX_WASM_MODULE_BYTES, ...configuration.heavy },
      },
      (publication) => this.#publish(publication),
      (error) => failure.resolve(error instanceof Error ? error : new Error(String(error))),
      configuration.prints
        ? (print) => {
            for (const listen of this.#printListeners) listen(print);
          }
        : undefined,
      { elsewhere: (hash) => prepared.get(hash), onUsed: (hash, compiled) => prepared.put(hash, compiled) },
    );
    const { control } = this.#engine;
    if (!control) throw new Error('An engine with steps has controls.');
    this.controls = control;
  }

  submit(message: IngressMessage): Promise<Admission> {
    return this.#engine.submit(message);
  }

  query(message: QueryMessage): Promise<QueryResult> {
    return this.#engine.query(message);
  }

  /** No answer is kept here, so that no stamp is current. */
  isCurrent(): boolean {
    return false;
  }

  hold(canisterId: Uint8Array): Promise<void> {
    return this.#engine.pauses.begin(canisterId);
  }

  release(canisterId: Uint8Array): void {
    this.#engine.pauses.end(canisterId);
  }

  subscribe(listener: (delta: StateDelta) => void): void {
    const subscription = this.#nextSubscription++;
    this.#listeners.set(subscription, { listen: listener, started: false });
    this.#engine.subscribe(subscription);
  }

  async setTime(nanos: bigint): Promise<void> {
    if (nanos > LATEST_TIME_NANOS) throw new RangeError(TOO_FAR);
    await this.#engine.travel(nanos, 'epoch');
  }

  advanceTime(nanos: bigint): Promise<void> {
    return this.#engine.travel(nanos, 'now');
  }

  async figures(): Promise<EngineFigures> {
    return this.#engine.figures;
  }

  async survey(canisterIds: readonly Uint8Array[]): Promise<Survey> {
    return this.#engine.survey(canisterIds);
  }

  backup(to: string, moment?: BackupMoment): Promise<void> {
    return this.#engine.backup(to, moment);
  }

  onPrint(listener: (print: Print) => void): void {
    this.#printListeners.push(listener);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  #publish(publication: Publication): void {
    if (publication.kind === 'delta') {
      for (const { listen, started } of this.#listeners.values()) if (started) listen(publication.delta);
      return;
    }
    const listener = this.#listeners.get(publication.subscription);
    if (!listener) return;
    listener.started = true;
    listener.listen(publication.delta);
  }
}

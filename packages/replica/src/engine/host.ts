import type { BackupMoment } from '@cannery/store/backup/backup-moment';
import { Worker } from 'node:worker_threads';
import { LATEST_TIME_NANOS, TOO_FAR } from '../clock.ts';
import type {
  Admission,
  Engine,
  EngineFigures,
  IngressMessage,
  Print,
  QueryMessage,
  QueryResult,
  StateStamp,
  Survey,
} from '../messages.ts';
import type { ControlCall, ControlResult, TestControls } from '../test-controls.ts';
import type { StateDelta } from '@cannery/ic/state-leaves';
import type {
  Answer,
  EngineConfiguration,
  EngineThreadConfiguration,
  EngineMessage,
  HostMessage,
} from './protocol.ts';
import { packQueries, unpackResults } from './query-batch.ts';
import { StateStamps } from './state-stamps.ts';

export type { EngineConfiguration } from './protocol.ts';

/** An engine as the one who started it has it. */
export interface StartedEngine extends Engine {
  /** Carries out a control of tests; rejects with the reason where it cannot, and where the engine has no `steps`. */
  control<Name extends keyof TestControls>(
    name: Name,
    ...args: Parameters<TestControls[Name]>
  ): Promise<ControlResult<Name>>;
  /**
   * Whether canisters may make HTTP requests; with `on` it is so from now on, also over a restart. Requests that were accepted before are
   * carried out. Rejects where there is no `outcallSwitch`.
   */
  outcalls(on?: boolean): Promise<boolean>;
}

/** The engine thread has ended; nothing can be asked any more. */
export class EngineStoppedError extends Error {
  override readonly name = 'EngineStoppedError';
}

/** The engine goes on but did not do what it was asked; the message says why. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

interface Pending {
  readonly resolve: (value: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** Deep recursion in canister code must end as its own trap, not earlier than on the IC. */
export const STACK_MB = 16;

/** Starts the engine thread on its data folder and resolves when it serves; rejects when the folder cannot be opened. */
export async function startEngine(configuration: EngineConfiguration): Promise<StartedEngine> {
  const stamps = new StateStamps();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: {
      ...configuration,
      stackMb: STACK_MB,
      stamps: stamps.buffer,
    } satisfies EngineThreadConfiguration,
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  const proxy = new EngineProxy(worker, stamps);
  await proxy.ready;
  return proxy;
}

class EngineProxy implements StartedEngine {
  readonly ready: Promise<void>;
  readonly failed: Promise<Error>;
  readonly #worker: Worker;
  readonly #stamps: StateStamps;
  readonly #pending = new Map<number, Pending>();
  /** Listeners by subscription; those that saw their snapshot get every later delta. */
  readonly #listeners = new Map<number, { readonly listen: (delta: StateDelta) => void; started: boolean }>();
  readonly #printListeners: ((print: Print) => void)[] = [];
  /** Queries that wait for the end of this turn of the event loop, to go to the engine together. */
  #queries: { readonly id: number; readonly message: QueryMessage }[] = [];
  /** Of backups at work that wait for a moment. */
  readonly #moments = new Map<number, BackupMoment>();
  #nextId = 0;
  #ended: EngineStoppedError | undefined;
  #start: { readonly resolve: () => void; readonly reject: (error: Error) => void };
  #fail: (error: Error) => void;
  #closing = false;

  constructor(worker: Worker, stamps: StateStamps) {
    this.#worker = worker;
    this.#stamps = stamps;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#start = { resolve, reject };
    const failure = Promise.withResolvers<Error>();
    this.failed = failure.promise;
    this.#fail = failure.resolve;
    worker.on('message', (message: EngineMessage) => this.#receive(message));
    worker.on('error', (error) => this.#end(error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => this.#end('the thread has ended'));
  }

  async submit(message: IngressMessage): Promise<Admission> {
    return (await this.#ask((id) => ({ type: 'submit', id, message }))) as Admission;
  }

  query(message: QueryMessage): Promise<QueryResult> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    if (this.#queries.length === 0) setImmediate(() => this.#sendQueries());
    this.#queries.push({ id, message });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject });
    });
  }

  isCurrent(stamp: StateStamp): boolean {
    return !this.#ended && !this.#closing && this.#stamps.isCurrent(stamp);
  }

  async hold(canisterId: Uint8Array): Promise<void> {
    await this.#ask((id) => ({ type: 'hold', id, canisterId }));
  }

  release(canisterId: Uint8Array): void {
    this.#post({ type: 'release', canisterId });
  }

  subscribe(listener: (delta: StateDelta) => void): void {
    const subscription = this.#nextId++;
    this.#listeners.set(subscription, { listen: listener, started: false });
    this.#post({ type: 'subscribe', subscription });
  }

  onPrint(listener: (print: Print) => void): void {
    this.#printListeners.push(listener);
  }

  async setTime(nanos: bigint): Promise<void> {
    if (nanos > LATEST_TIME_NANOS) throw new RangeError(TOO_FAR);
    await this.#ask((id) => ({ type: 'travel', id, nanos, from: 'epoch' }));
  }

  async advanceTime(nanos: bigint): Promise<void> {
    await this.#ask((id) => ({ type: 'travel', id, nanos, from: 'now' }));
  }

  async control<Name extends keyof TestControls>(
    name: Name,
    ...args: Parameters<TestControls[Name]>
  ): Promise<ControlResult<Name>> {
    const call = { name, args } as ControlCall;
    return (await this.#ask((id) => ({ type: 'control', id, call }))) as ControlResult<Name>;
  }

  async outcalls(on?: boolean): Promise<boolean> {
    return (await this.#ask((id) => ({ type: 'outcalls', id, on }))) as boolean;
  }

  async figures(): Promise<EngineFigures> {
    return (await this.#ask((id) => ({ type: 'figures', id }))) as EngineFigures;
  }

  async survey(canisterIds: readonly Uint8Array[]): Promise<Survey> {
    return (await this.#ask((id) => ({ type: 'survey', id, canisterIds }))) as Survey;
  }

  async backup(to: string, moment?: BackupMoment): Promise<void> {
    let asked: number | undefined;
    try {
      await this.#ask((id) => {
        asked = id;
        if (moment !== undefined) this.#moments.set(id, moment);
        return { type: 'backup', id, to, hasMoment: moment !== undefined };
      });
    } finally {
      if (asked !== undefined) this.#moments.delete(asked);
    }
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#closing = true;
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    await this.#ask((id) => ({ type: 'close', id }));
    await exited;
  }

  #ask(message: (id: number) => HostMessage): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post(message(id));
    });
  }

  #post(message: HostMessage): void {
    this.#worker.postMessage(message);
  }

  #sendQueries(): void {
    const batch = packQueries(this.#queries);
    this.#queries = [];
    this.#worker.postMessage({ type: 'queries', ...batch } satisfies HostMessage, [batch.bytes.buffer]);
  }

  #answer(id: number, value: Answer): void {
    this.#pending.get(id)?.resolve(value);
    this.#pending.delete(id);
  }

  #receive(message: EngineMessage): void {
    switch (message.type) {
      case 'ready':
        this.#start.resolve();
        return;
      case 'answer':
        this.#answer(message.id, message.value);
        return;
      case 'refused':
        this.#pending.get(message.id)?.reject(new RefusedError(message.reason));
        this.#pending.delete(message.id);
        return;
      case 'backup-step':
        this.#stepOfBackup(message.id, message.step);
        return;
      case 'results':
        unpackResults(message, (id, result) => this.#answer(id, result));
        return;
      case 'failed':
        this.#end(message.reason);
        return;
      case 'print':
        for (const listen of this.#printListeners) listen(message.print);
        return;
      case 'delta':
        for (const { listen, started } of this.#listeners.values()) if (started) listen(message.delta);
        return;
      case 'snapshot': {
        const listener = this.#listeners.get(message.subscription);
        if (!listener) return;
        listener.started = true;
        listener.listen(message.delta);
      }
    }
  }

  #stepOfBackup(id: number, step: 'ready' | 'taken'): void {
    const moment = this.#moments.get(id);
    if (step === 'taken') moment?.taken();
    else
      moment?.ready().then(
        () => this.#post({ type: 'backup-go', id }),
        (error: unknown) =>
          this.#post({
            type: 'backup-go',
            id,
            refusal: error instanceof Error ? error.message : String(error),
          }),
      );
  }

  #end(reason: string): void {
    this.#ended ??= new EngineStoppedError(`The engine has stopped: ${reason}`);
    this.#start.reject(this.#ended);
    if (!this.#closing) this.#fail(this.#ended);
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}

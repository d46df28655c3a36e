import { Worker } from 'node:worker_threads';
import type {
  Admission,
  Engine,
  IngressMessage,
  QueryMessage,
  QueryResult,
  StateDelta,
} from '../messages.ts';
import type { EngineConfiguration, EngineMessage, HostMessage } from './protocol.ts';

export type { EngineConfiguration } from './protocol.ts';

/** The engine thread has ended; nothing can be asked any more. */
export class EngineStoppedError extends Error {
  override readonly name = 'EngineStoppedError';
}

type Answer = Admission | QueryResult | undefined;
interface Pending {
  readonly resolve: (value: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** Deep recursion in canister code must end as a trap of its own, not earlier than on the IC. */
const STACK_MB = 16;

/** Starts the engine thread on its data folder and resolves when it serves; rejects when the folder cannot be opened. */
export async function startEngine(configuration: EngineConfiguration): Promise<Engine> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: configuration,
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  const proxy = new EngineProxy(worker);
  await proxy.ready;
  return proxy;
}

class EngineProxy implements Engine {
  readonly ready: Promise<void>;
  readonly failed: Promise<Error>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  /** Listeners by subscription; those that saw their snapshot get every later delta. */
  readonly #listeners = new Map<number, { readonly listen: (delta: StateDelta) => void; started: boolean }>();
  #nextId = 0;
  #ended: EngineStoppedError | undefined;
  #start: { readonly resolve: () => void; readonly reject: (error: Error) => void };
  #fail: (error: Error) => void;
  #closing = false;

  constructor(worker: Worker) {
    this.#worker = worker;
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

  async query(message: QueryMessage): Promise<QueryResult> {
    return (await this.#ask((id) => ({ type: 'query', id, message }))) as QueryResult;
  }

  subscribe(listener: (delta: StateDelta) => void): void {
    const subscription = this.#nextId++;
    this.#listeners.set(subscription, { listen: listener, started: false });
    this.#post({ type: 'subscribe', subscription });
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

  #receive(message: EngineMessage): void {
    switch (message.type) {
      case 'ready':
        this.#start.resolve();
        return;
      case 'answer':
        this.#pending.get(message.id)?.resolve(message.value);
        this.#pending.delete(message.id);
        return;
      case 'failed':
        this.#end(message.reason);
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

  #end(reason: string): void {
    this.#ended ??= new EngineStoppedError(`The engine has stopped: ${reason}`);
    this.#start.reject(this.#ended);
    if (!this.#closing) this.#fail(this.#ended);
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}

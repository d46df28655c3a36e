import { parentPort, workerData } from 'node:worker_threads';
import type { BackupMoment } from '@cannery/store/backup/backup-moment';
import { BackupError, StoreDamagedError, StoreFailedError } from '@cannery/store/files/errors';
import { saveCompiledCode } from '@cannery/ic/save-compiled-code';
import { DurableStore } from '@cannery/store/durable-store';
import type { EngineThreadConfiguration, EngineMessage, HostMessage } from './protocol.ts';
import type { ControlCall, ControlResult } from '../test-controls.ts';
import { packResults, unpackQueries } from './query-batch.ts';
import type { QueryMessage, QueryResult } from '../messages.ts';
import { SubnetEngine } from './subnet-engine.ts';

/** Entry of the engine thread: answers the host's messages on the port of the thread. */

const port = parentPort;
if (!port) throw new Error('The engine runs in a worker thread only.');

const post = (message: EngineMessage): void => port.postMessage(message);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** With the stack, unless it is the disk that is at fault. */
function reasonOf(error: unknown): string {
  const isFromDisk = error instanceof StoreFailedError || error instanceof StoreDamagedError;
  return !isFromDisk && error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
}

/** A fault of this program: what memory holds may differ from the store, so the thread ends. */
function fail(error: unknown): void {
  post({ type: 'failed', reason: reasonOf(error) });
  setImmediate(() => process.exit(1));
}

const configuration = workerData as EngineThreadConfiguration;
const { dataDir, diskReserveBytes: reserveBytes } = configuration;
const engine = new SubnetEngine(
  DurableStore.open(dataDir, reserveBytes === undefined ? {} : { reserveBytes }),
  configuration,
  (publication) =>
    post(
      publication.kind === 'delta'
        ? { type: 'delta', delta: publication.delta }
        : { type: 'snapshot', delta: publication.delta, subscription: publication.subscription },
    ),
  fail,
  configuration.prints ? (print) => post({ type: 'print', print }) : undefined,
);

let results: { readonly id: number; readonly result: QueryResult }[] = [];

async function runQuery({
  id,
  message,
}: {
  readonly id: number;
  readonly message: QueryMessage;
}): Promise<void> {
  const result = await engine.query(message);
  // Queries that came together and end at once are answered together: their turns come before this one.
  if (results.length === 0) queueMicrotask(() => queueMicrotask(sendResults));
  results.push({ id, result });
}

function sendResults(): void {
  const { batch, buffers } = packResults(results);
  results = [];
  port?.postMessage({ type: 'results', ...batch } satisfies EngineMessage, buffers);
}

/** Backups that wait until their moment may come. */
const moments = new Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();

function momentOf(id: number): BackupMoment {
  return {
    ready: () =>
      new Promise((resolve, reject) => {
        moments.set(id, { resolve, reject });
        post({ type: 'backup-step', id, step: 'ready' });
      }),
    taken: () => post({ type: 'backup-step', id, step: 'taken' }),
  };
}

/** Switches what canisters may call, where that can be switched. */
async function outcalls(id: number, on: boolean | undefined): Promise<EngineMessage> {
  const value = await engine.outcalls(on);
  const reason = 'Whether canisters call out cannot be switched while this network runs.';
  return value === undefined ? { type: 'refused', id, reason } : { type: 'answer', id, value };
}

/** Carries out a control; what it cannot do is said, and the engine goes on. */
async function control(id: number, { name, args }: ControlCall): Promise<EngineMessage> {
  const { control: controls } = engine;
  if (!controls)
    return { type: 'refused', id, reason: 'This network runs by itself; tests do not control it.' };
  try {
    // Name and arguments belong together by the type of the call.
    const invoke = controls[name] as (...parameters: unknown[]) => ControlResult | Promise<ControlResult>;
    return { type: 'answer', id, value: await invoke.apply(controls, args) };
  } catch (error) {
    return { type: 'refused', id, reason: messageOf(error) };
  }
}

/** Answers the host once something is done, or with why it was not. */
async function carryOut(id: number, work: Promise<void>): Promise<void> {
  post(
    await work.then(
      () => ({ type: 'answer', id, value: undefined }) as const,
      (error: unknown) => ({ type: 'refused', id, reason: messageOf(error) }) as const,
    ),
  );
}

async function handle(message: HostMessage): Promise<void> {
  switch (message.type) {
    case 'submit':
      post({ type: 'answer', id: message.id, value: await engine.submit(message.message) });
      return;
    case 'queries':
      await Promise.all(unpackQueries(message).map(runQuery));
      return;
    case 'hold':
      await engine.pauses.begin(message.canisterId);
      post({ type: 'answer', id: message.id, value: undefined });
      return;
    case 'release':
      engine.pauses.end(message.canisterId);
      return;
    case 'travel':
      await carryOut(message.id, engine.travel(message.nanos, message.from));
      return;
    case 'backup':
      await carryOut(
        message.id,
        engine.backup(message.to, message.hasMoment ? momentOf(message.id) : undefined),
      );
      return;
    case 'control':
      post(await control(message.id, message.call));
      return;
    case 'outcalls':
      post(await outcalls(message.id, message.on));
      return;
    case 'figures':
      post({ type: 'answer', id: message.id, value: engine.figures });
      return;
    case 'survey':
      post({ type: 'answer', id: message.id, value: engine.survey(message.canisterIds) });
      return;
    case 'backup-go': {
      const waiting = moments.get(message.id);
      moments.delete(message.id);
      if (message.refusal === undefined) waiting?.resolve();
      else waiting?.reject(new BackupError(message.refusal));
      return;
    }
    case 'subscribe':
      engine.subscribe(message.subscription);
      return;
    case 'close':
      await engine.close();
      post({ type: 'answer', id: message.id, value: undefined });
      port?.close();
  }
}

port.on('message', (message: HostMessage) => {
  handle(message).catch(fail);
});
post({ type: 'ready' });
saveCompiledCode();

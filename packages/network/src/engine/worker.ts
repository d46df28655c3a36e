import { parentPort, workerData } from 'node:worker_threads';
import { DurableStore } from '../store/durable-store.ts';
import type { EngineConfiguration, EngineMessage, HostMessage } from './protocol.ts';
import { SubnetEngine } from './subnet-engine.ts';

/** Entry of the engine thread: answers the host's messages on the port of the thread. */

const port = parentPort;
if (!port) throw new Error('The engine runs in a worker thread only.');

const post = (message: EngineMessage): void => port.postMessage(message);
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** A fault of this program: what memory holds may differ from the store, so the thread ends. */
function fail(error: unknown): void {
  post({ type: 'failed', reason: reasonOf(error) });
  setImmediate(() => process.exit(1));
}

const configuration = workerData as EngineConfiguration;
const engine = new SubnetEngine(
  DurableStore.open(configuration.dataDir),
  configuration,
  (publication) =>
    post(
      publication.kind === 'delta'
        ? { type: 'delta', delta: publication.delta }
        : { type: 'snapshot', delta: publication.delta, subscription: publication.subscription },
    ),
  fail,
);

async function handle(message: HostMessage): Promise<void> {
  switch (message.type) {
    case 'submit':
      post({ type: 'answer', id: message.id, value: await engine.submit(message.message) });
      return;
    case 'query':
      post({ type: 'answer', id: message.id, value: await engine.query(message.message) });
      return;
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

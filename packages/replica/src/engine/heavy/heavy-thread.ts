import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { HeavyAnswer, HeavyConfiguration, HeavyRequest } from './heavy-protocol.ts';
import { HeavyEngine } from './heavy-engine.ts';
import { SyncChannel } from './sync-channel.ts';

/** Entry of a heavy worker: does one job after the other. */

const port = parentPort;
if (!port) throw new Error('A heavy worker runs in a worker thread only.');

const { reads, ...configuration } = workerData as HeavyConfiguration & { readonly reads: MessagePort };
const post = (answer: HeavyAnswer): void => port.postMessage(answer);
const engine = new HeavyEngine(new SyncChannel(reads, configuration.answers), configuration, (print) =>
  post({ type: 'print', print }),
);

/** As much as this thread wants to compute, the others come first. Only Linux has priorities of threads. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    const priority = Math.min(getPriority() + configuration.niceness, constants.priority.PRIORITY_LOW);
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), priority);
  } catch {
    // A sandbox may forbid it; then all threads share alike.
  }
}

yieldToOthers();
post({ type: 'ready' });
port.on('message', (request: HeavyRequest) => {
  if (request.type === 'kept') {
    engine.kept(request.canister, request.identity);
    return;
  }
  try {
    const result = engine.carryOut(request.job);
    post({ type: 'result', result, residentBytes: engine.residentBytes });
  } catch (error) {
    // What this thread has in memory is not to be trusted any more.
    post({ type: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

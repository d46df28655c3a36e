import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { type Answer, readWholeAnswer } from './read-answer.ts';
import type { WorkerReport } from './reader-thread.ts';

/** Entry of a thread that reads what canisters answer, one answer at a time. */

const port = parentPort;
if (!port) throw new Error('This is the entry of a thread.');

/** The buffers of an answer change hands with it. */
const report = (message: WorkerReport, buffers: ArrayBuffer[] = []): void =>
  port.postMessage(message, buffers);

const heapBytes = (): number => getHeapStatistics().total_heap_size;

port.on('message', async (answer: Answer) => {
  try {
    const reading = await readWholeAnswer(answer);
    const isOfReply = answer.kind !== 'whole' && answer.reply.buffer instanceof ArrayBuffer;
    report(
      { kind: 'read', reading, heapBytes: heapBytes() },
      isOfReply ? [answer.reply.buffer as ArrayBuffer] : [],
    );
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    report({ kind: 'failed', error: { name, message }, heapBytes: heapBytes() });
  }
});
report({ kind: 'ready' });

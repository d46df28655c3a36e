import { replicaErrors } from '@cannery/ic/errors';
import { MAX_REJECT_MESSAGE_BYTES } from '@cannery/ic/limits';
import { isReplicated } from './entry-point.ts';
import { type Invocation, PER_BYTE_SENT, type SystemFunction, systemFunction } from './system-function.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The first `most` bytes of a message; a range outside the heap gives a note instead of a trap. */
function readMessage(api: Invocation, pointer: number, size: number, most: number, what: string): Uint8Array {
  if (pointer + size > api.heapBytes()) return encoder.encode(`(${what} message out of memory bounds)`);
  return api.read(pointer, Math.min(size, most));
}

const logLimit = ({ context }: Invocation): number => Number(context.canister.settings.logMemoryLimit);

/** Lines of one execution that listeners hear; the log of the canister has its own limit. */
const MAX_PRINTED_LINES = 10_000;

/** What logging a message costs: `logging_charge_bytes` of dfinity/ic `rs/embedders/src/wasmtime_embedder/linker.rs`. */
function loggingPrice(api: Invocation, size: number): number {
  const limit = logLimit(api);
  const room = Math.max(0, limit - api.context.log.bytes);
  return 2 * Math.min(size, limit) + PER_BYTE_SENT * Math.min(size, room);
}

function log(api: Invocation, content: Uint8Array): void {
  const { context } = api;
  if (isReplicated(context.entry)) context.log.add({ timestampNanos: context.timeNanos, content });
  if (context.subnet.print && context.printed.length < MAX_PRINTED_LINES) context.printed.push(content);
}

/** Time, timers, counters and debugging aids. */
export const systemFunctions: readonly SystemFunction[] = [
  systemFunction('time', { params: [], result: 'i64', from: '*', charge: 500 }, ({ context }) => {
    context.isToldPassing = true;
    return context.timeNanos;
  }),
  systemFunction(
    'global_timer_set',
    { params: ['i64'], result: 'i64', from: 'I G U Ry Rt C T', charge: 500 },
    ({ context }, timestamp) => {
      const previous = context.globalTimer ?? context.canister.globalTimer;
      context.globalTimer = timestamp;
      return previous;
    },
  ),
  systemFunction(
    'performance_counter',
    { params: ['i32'], result: 'i64', from: '* s', charge: 200 },
    (api, counter) => {
      const used = api.instructionsUsed();
      if (counter === 0) return used;
      if (counter === 1) return api.context.contextInstructions + used;
      throw replicaErrors.contractViolation(
        api.context.canister.id,
        `Error getting performance counter type ${counter}`,
      );
    },
  ),
  systemFunction(
    'debug_print',
    { params: ['ptr', 'ptr'], from: '* s', charge: 100 },
    (api, pointer, size) => {
      api.charge(loggingPrice(api, size));
      log(api, readMessage(api, pointer, size, logLimit(api), 'debug_print'));
    },
  ),
  systemFunction('trap', { params: ['ptr', 'ptr'], from: '* s', charge: 500 }, (api, pointer, size) => {
    api.charge(size + loggingPrice(api, size));
    const message = decoder.decode(readMessage(api, pointer, size, MAX_REJECT_MESSAGE_BYTES, 'trap'));
    throw replicaErrors.calledTrap(api.context.canister.id, message);
  }),
];

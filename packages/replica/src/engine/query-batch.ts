import { handOver, LARGE_REPLY_BYTES } from './hand-over.ts';
import type { QueryMessage, QueryResult, StateStamp } from '../messages.ts';

/**
 * Queries of one turn of the event loop on their way to the engine thread, and their results on the way back. All
 * bytes stand side by side in one buffer that changes hands: cloning each small array by itself costs more than a
 * simple query takes to run.
 */
export interface QueryBatch {
  readonly ids: readonly number[];
  readonly methods: readonly string[];
  readonly stamped: readonly boolean[];
  /** For each query the length of each of its parts in the order of `partsOf`; -1 for one that is absent. */
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Results of queries: small replies in one buffer, large ones and whatever is no reply as they are. */
export interface ResultBatch {
  readonly ids: readonly number[];
  /** -1 where the result is in `others`. */
  readonly lengths: readonly number[];
  /** Of the results that are not in `others`: slot and count of the stamp, one after the other; -1 where there is none. */
  readonly stamps: readonly number[];
  readonly others: readonly QueryResult[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Parts = readonly (Uint8Array | undefined)[];
const PARTS = 8;

function partsOf(message: QueryMessage): Parts {
  const { sender, canisterId, arg, effectiveCanisterId, dataCertificate, callerInfo } = message;
  return [
    sender,
    canisterId,
    arg,
    effectiveCanisterId,
    dataCertificate?.certificate,
    dataCertificate?.certifiedData,
    callerInfo?.data,
    callerInfo?.signer,
  ];
}

/** Packs queries, each with the number its result will come under. */
export function packQueries(
  queries: readonly { readonly id: number; readonly message: QueryMessage }[],
): QueryBatch {
  const parts = queries.flatMap(({ message }) => partsOf(message));
  return {
    ids: queries.map(({ id }) => id),
    methods: queries.map(({ message }) => message.method),
    stamped: queries.map(({ message }) => message.stamped === true),
    lengths: parts.map((part) => part?.length ?? -1),
    bytes: joined(parts),
  };
}

/** The queries of a batch with their numbers. */
export function unpackQueries(batch: QueryBatch): { readonly id: number; readonly message: QueryMessage }[] {
  const { ids, methods, stamped, lengths, bytes } = batch;
  const next = reader(bytes);
  return ids.map((id, index) => {
    const part = (place: number): Uint8Array | undefined => next(lengths[index * PARTS + place] ?? -1);
    const sender = part(0) ?? bytes.subarray(0, 0);
    const canisterId = part(1) ?? bytes.subarray(0, 0);
    const arg = part(2) ?? bytes.subarray(0, 0);
    const effectiveCanisterId = part(3);
    const [certificate, certifiedData] = [part(4), part(5)];
    const [data, signer] = [part(6), part(7)];
    return {
      id,
      message: {
        sender,
        canisterId,
        method: methods[index] ?? '',
        arg,
        ...(effectiveCanisterId && { effectiveCanisterId }),
        ...(certificate && certifiedData && { dataCertificate: { certificate, certifiedData } }),
        ...(data && signer && { callerInfo: { data, signer } }),
        ...(stamped[index] && { stamped: true }),
      },
    };
  });
}

/** Packs results, each with the number of its query. The `buffers` change hands: nobody here may read them later. */
export function packResults(results: readonly { readonly id: number; readonly result: QueryResult }[]): {
  readonly batch: ResultBatch;
  readonly buffers: ArrayBuffer[];
} {
  const replies = results.map(({ result }) =>
    result.status === 'replied' && result.reply.length <= LARGE_REPLY_BYTES ? result.reply : undefined,
  );
  const others: QueryResult[] = [];
  const large: ArrayBuffer[] = [];
  for (const [index, { result }] of results.entries()) {
    if (replies[index]) continue;
    if (result.status !== 'replied') {
      others.push(result);
      continue;
    }
    const reply = handOver(result.reply);
    others.push({ ...result, reply });
    large.push(reply.buffer);
  }
  const bytes = joined(replies);
  return {
    batch: {
      ids: results.map(({ id }) => id),
      lengths: replies.map((reply) => reply?.length ?? -1),
      stamps: results.flatMap(({ result }) =>
        'stamp' in result && result.stamp ? numbersOf(result.stamp) : NO_STAMP,
      ),
      others,
      bytes,
    },
    buffers: [bytes.buffer, ...large],
  };
}

/** Hands each result of a batch, with the number of its query, to `take`. */
export function unpackResults(batch: ResultBatch, take: (id: number, result: QueryResult) => void): void {
  const next = reader(batch.bytes);
  const others = batch.others.values();
  batch.ids.forEach((id, index) => {
    const reply = next(batch.lengths[index] ?? -1);
    const [slot = -1, count = -1] = batch.stamps.slice(2 * index, 2 * index + 2);
    const result = reply
      ? ({ status: 'replied', reply, ...(slot >= 0 && { stamp: { slot, count } }) } satisfies QueryResult)
      : others.next().value;
    if (result) take(id, result);
  });
}

const NO_STAMP = [-1, -1];

function numbersOf({ slot, count }: StateStamp): number[] {
  return [slot, count];
}

function joined(parts: Parts): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part?.length ?? 0;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    if (!part) continue;
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Takes pieces off `bytes` one after the other; a length of -1 takes nothing. */
function reader(bytes: Uint8Array): (length: number) => Uint8Array | undefined {
  let offset = 0;
  return (length) => {
    if (length < 0) return undefined;
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
}

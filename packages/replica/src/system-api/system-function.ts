import type { StableMemory } from '../state/stable-memory.ts';
import { type EntryPoint, entryPoints } from './entry-point.ts';
import type { MessageContext } from './message-context.ts';

/**
 * Types of parameters and results. `ptr`: pointer, offset or size (`I` in the specification), a number here.
 * `word`: a pointer-sized value that is no address (table index, environment), a bigint here. `i32` is an unsigned
 * number, `i64` an unsigned bigint.
 */
export type ValueType = 'ptr' | 'word' | 'i32' | 'i64';

/**
 * Instructions for each byte that leaves the canister, in an answer, a call or its log: `BYTE_TRANSMISSION_COST_FACTOR`
 * of dfinity/ic `rs/embedders/src/wasmtime_embedder/linker.rs`.
 */
export const PER_BYTE_SENT = 50;

type Value<T extends ValueType> = T extends 'ptr' | 'i32' ? number : bigint;
type Values<P extends readonly ValueType[]> = {
  [K in keyof P]: P[K] extends ValueType ? Value<P[K]> : never;
};

/** The world as a system API function sees it. */
export interface Invocation {
  readonly context: MessageContext;
  readonly stable: StableMemory;
  readonly memory64: boolean;
  /** Heap and stable memory now, beyond what the canister held before the message, in bytes. */
  grownBytes(): number;
  heapBytes(): number;
  /** Copies bytes out of the heap. Throws `HeapRangeTrap` out of bounds. Charges nothing, as `write`. */
  read(pointer: number, length: number): Uint8Array;
  /** Copies bytes into the heap. Throws `HeapRangeTrap` out of bounds. */
  write(pointer: number, bytes: Uint8Array): void;
  charge(instructions: number): void;
  instructionsUsed(): bigint;
}

/** One row of the table of system API functions. */
export interface SystemFunction {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly result: ValueType | undefined;
  readonly from: ReadonlySet<EntryPoint>;
  /** Instructions of a call, besides those for bytes. */
  readonly charge: number;
  /** Positions of the parameters whose values are numbers of bytes to pay for. */
  readonly sizes: readonly number[];
  /** Instructions for each of these bytes. */
  readonly perByte: number;
  /** Exists only for canisters with 32-bit memory. */
  readonly memory32Only: boolean;
  run(api: Invocation, args: readonly (number | bigint)[]): number | bigint | undefined;
}

interface Signature<P extends readonly ValueType[], R extends ValueType | undefined> {
  readonly params: P;
  readonly result?: R;
  /** Column of the specification's table; see `entry-point.ts`. */
  readonly from: string;
  readonly charge: number;
  readonly sizes?: readonly number[];
  /** 1 when left out. */
  readonly perByte?: number;
  readonly memory32Only?: true;
}

type Returned<R extends ValueType | undefined> = R extends ValueType ? Value<R> : void;

/** Builds a row; the types of `run` follow from the signature. */
export function systemFunction<
  const P extends readonly ValueType[],
  R extends ValueType | undefined = undefined,
>(
  name: string,
  signature: Signature<P, R>,
  run: (api: Invocation, ...args: Values<P>) => Returned<R>,
): SystemFunction {
  return {
    name,
    params: signature.params,
    result: signature.result,
    from: entryPoints(signature.from),
    charge: signature.charge,
    sizes: signature.sizes ?? [],
    perByte: signature.perByte ?? 1,
    memory32Only: signature.memory32Only === true,
    run: (api, args) => run(api, ...(args as Values<P>)) as number | bigint | undefined,
  };
}

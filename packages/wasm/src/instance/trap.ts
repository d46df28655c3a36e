export type TrapKind =
  | 'instruction-limit'
  | 'unreachable'
  | 'out-of-bounds'
  | 'stack-overflow'
  | 'divide-by-zero'
  | 'integer-overflow'
  | 'invalid-conversion'
  | 'table-out-of-bounds'
  | 'indirect-call-mismatch'
  | 'other';

/**
 * What the replica prints after "trapped: " (`TrapCode` in dfinity/ic `rs/interfaces/src/execution_environment/errors.rs`).
 * It calls integer overflow, invalid conversion and call mismatch "unknown"; here they keep their names.
 */
const MESSAGES: Readonly<Record<TrapKind, string>> = {
  'instruction-limit': 'Canister exceeded the instruction limit for single message execution.',
  unreachable: 'unreachable',
  'out-of-bounds': 'heap out of bounds',
  'stack-overflow': 'stack overflow',
  'divide-by-zero': 'integer division by 0',
  'integer-overflow': 'integer overflow',
  'invalid-conversion': 'invalid conversion to integer',
  'table-out-of-bounds': 'table out of bounds',
  'indirect-call-mismatch': 'indirect call type mismatch',
  other: 'unknown',
};

/** V8's wording of each trap (its `message-template.h`), matched by prefix. */
const ENGINE_WORDING: readonly (readonly [prefix: string, kind: TrapKind])[] = [
  ['unreachable', 'unreachable'],
  ['memory access out of bounds', 'out-of-bounds'],
  ['data segment out of bounds', 'out-of-bounds'],
  ['divide by zero', 'divide-by-zero'],
  ['remainder by zero', 'divide-by-zero'],
  ['divide result unrepresentable', 'integer-overflow'],
  ['float unrepresentable in integer range', 'invalid-conversion'],
  ['table index is out of bounds', 'table-out-of-bounds'],
  ['table access out of bounds', 'table-out-of-bounds'],
  ['element segment out of bounds', 'table-out-of-bounds'],
  ['function signature mismatch', 'indirect-call-mismatch'],
  // The same in the V8 of Node 24.
  ['null function or function signature mismatch', 'indirect-call-mismatch'],
];

/** The canister's code cannot go on: everything since `begin` must be rolled back. */
export class WasmTrap extends Error {
  override readonly name = 'WasmTrap';
  readonly kind: TrapKind;

  constructor(kind: TrapKind, message: string = MESSAGES[kind]) {
    super(message);
    this.kind = kind;
  }
}

/** The host was asked for a range that does not lie in the heap. */
export class HeapRangeTrap extends WasmTrap {
  readonly start: number;
  readonly length: number;
  readonly size: number;

  /** All in bytes; `size` is that of the heap. */
  constructor(start: number, length: number, size: number) {
    super('out-of-bounds');
    this.start = start;
    this.length = length;
    this.size = size;
  }
}

/**
 * The trap behind an error that left canister code, or nothing when the error came from the host.
 * Out of instructions shows as `unreachable` with a negative counter, so the caller says whether it is negative.
 */
export function trapOf(error: unknown, outOfInstructions: boolean): WasmTrap | undefined {
  if (error instanceof WasmTrap) return error;
  if (error instanceof RangeError && error.message.startsWith('Maximum call stack size')) {
    return new WasmTrap('stack-overflow');
  }
  if (!(error instanceof WebAssembly.RuntimeError)) return undefined;
  const text = error.message;
  const kind = ENGINE_WORDING.find(([prefix]) => text.startsWith(prefix))?.[1];
  if (kind === 'unreachable' && outOfInstructions) return new WasmTrap('instruction-limit');
  return kind === undefined ? new WasmTrap('other', text) : new WasmTrap(kind);
}

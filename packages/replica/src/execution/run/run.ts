import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { abandonCall } from '../../system-api/call-functions.ts';
import type { MessageContext } from '../../system-api/message-context.ts';
import { WasmTrap } from '@cannery/wasm/instance/trap';
import type { LoadedCode } from './loaded-code.ts';

/**
 * The work at hand needs more than the engine thread gives at a time. Nothing of it may be kept: it is to be done
 * again, from the start, in a heavy worker.
 */
export class SliceExceeded extends Error {
  override readonly name = 'SliceExceeded';
}

export interface Run {
  readonly context: MessageContext;
  /** Why the execution failed; then nothing it did may be kept but `context.log`. */
  readonly error: ReplicaError | undefined;
  readonly instructions: bigint;
}

/** How a thread enters canister code. */
export interface Runner {
  /**
   * Enters canister code once. Afterwards heap and stable memory hold the uncommitted result, or, after an error,
   * the state as it was. Throws only what is no fault of the canister: `SliceExceeded`, `StaleCertificate`, and
   * errors of this program.
   */
  run(code: LoadedCode, context: MessageContext, enter: () => void): Run;
}

/**
 * 32 MiB in pages: copying them and writing them to the log takes as long as a slice of instructions, which alone
 * could change many times as many.
 */
const SLICE_PAGES = 8_192;

/**
 * See `Runner.run`. Throws `SliceExceeded`, with nothing changed, when the code needs more than `slice` weighted
 * instructions, or changes more than `SLICE_PAGES`, although its own limit allows it.
 */
export function run(
  code: LoadedCode,
  context: MessageContext,
  enter: () => void,
  slice = context.instructionLimit,
): Run {
  const sliced = slice < context.instructionLimit;
  if (sliced) code.instance.begin(slice, SLICE_PAGES);
  else code.instance.begin(context.instructionLimit);
  try {
    code.within(context, enter);
    abandonCall(context);
    requireHeapLimit(code, context);
    return { context, error: undefined, instructions: code.instance.instructionsUsed() };
  } catch (cause) {
    const instructions = code.instance.instructionsUsed();
    code.rollback();
    if (sliced && cause instanceof WasmTrap && cause.kind === 'instruction-limit') throw new SliceExceeded();
    const error = canisterFault(context, cause);
    logTrap(context, error);
    return { context, error, instructions };
  }
}

/** The limit of the settings holds for installation and update calls only (interface specification). */
function requireHeapLimit(code: LoadedCode, context: MessageContext): void {
  if (context.entry !== 'U' && context.entry !== 'I') return;
  const limit = context.canister.settings.wasmMemoryLimit;
  const peak = BigInt(code.instance.memoryBytes());
  if (limit > 0n && peak > limit) throw replicaErrors.wasmMemoryLimit(context.canister.id, limit, peak);
}

function canisterFault(context: MessageContext, cause: unknown): ReplicaError {
  if (cause instanceof ReplicaError) return cause;
  const { id } = context.canister;
  // The host had no room for what the canister asked for; all of it is rolled back.
  if (cause instanceof RangeError) return replicaErrors.outOfMemory(id);
  if (!(cause instanceof WasmTrap)) throw cause;
  if (cause.kind === 'instruction-limit') return replicaErrors.instructionLimit(id, context.instructionLimit);
  return replicaErrors.trapped(id, cause.message);
}

/** Tells whoever listens what the canister printed. */
export function announce({ subnet, canister, printed }: MessageContext): void {
  if (printed.length > 0) subnet.print?.({ canisterId: canister.id, lines: printed });
}

const TRAP_TEXT =
  /^Error from Canister [^:]+: (?:Canister called `ic0.trap` with message: '([^]*)'\.\n|([^\n]*?)\.?(?:\n|$))/;

function logTrap(context: MessageContext, error: ReplicaError): void {
  if (context.entry === 'NRQ' || context.entry === 'CQ' || context.entry === 'F') return;
  const match = TRAP_TEXT.exec(error.message);
  const text = match?.[1] ?? match?.[2] ?? error.message;
  context.log.add({
    timestampNanos: context.timeNanos,
    content: new TextEncoder().encode(`[TRAP]: ${text}`),
  });
}

/** Weighted instructions a piece of work may use in the engine thread. */
export interface Slices {
  readonly message: bigint;
  /** A query, or an inspection of a message. */
  readonly query: bigint;
}

/** Runs canister code with a bound on what one piece of work may use, however many executions it consists of. */
export class SlicedRunner implements Runner {
  readonly #slices: Slices;
  #left = 0n;
  #used = 0n;
  /** Executions of the piece of work at hand. */
  #ran: MessageContext[] = [];

  constructor(slices: Slices) {
    this.#slices = slices;
  }

  /** Weighted instructions of all executions that ended here. */
  get used(): bigint {
    return this.#used;
  }

  /** A new piece of work begins. */
  begin(work: keyof Slices): void {
    this.#left = this.#slices[work];
    this.#ran = [];
  }

  /** The piece of work has come to its end here, so that it is time to tell what it printed. */
  end(): void {
    for (const context of this.#ran) announce(context);
    this.#ran = [];
  }

  run(code: LoadedCode, context: MessageContext, enter: () => void): Run {
    const result = run(code, context, enter, this.#left);
    this.#ran.push(context);
    this.#left -= result.instructions;
    this.#used += result.instructions;
    return result;
  }
}

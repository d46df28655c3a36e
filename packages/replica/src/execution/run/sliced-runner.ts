import type { MessageContext } from '../../system-api/message-context.ts';
import type { LoadedCode } from './loaded-code.ts';
import { announce, type Run, run, type Runner } from './run.ts';

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
  /** Executions of the piece of work at hand. */
  #ran: MessageContext[] = [];

  constructor(slices: Slices) {
    this.#slices = slices;
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
    return result;
  }
}

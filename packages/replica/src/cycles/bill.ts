import type { EditableRecord } from '../state/canister.ts';
import type { Fees } from './fees.ts';

/**
 * What one message costs its canister: paid in advance for the most it may use, and settled when it has ended. The
 * record changes only then, with the other effects of the message, so that a message given up leaves no trace.
 */
export class Bill {
  /** Missing from the balance while the message runs, in cycles. */
  readonly prepaid: bigint;
  readonly #fees: Fees;
  readonly #limit: bigint;
  readonly #memory64: boolean;

  constructor(fees: Fees, limit: bigint, memory64: boolean) {
    this.#fees = fees;
    this.#limit = limit;
    this.#memory64 = memory64;
    this.prepaid = fees.execution(limit, memory64);
  }

  /** What `instructions` instructions cost: the prepaid cycles without what the unused ones are worth. */
  charge(instructions: bigint): bigint {
    const unused = instructions < this.#limit ? this.#limit - instructions : 0n;
    const refund = this.#fees.instructions(unused, this.#memory64);
    return refund < this.prepaid ? this.prepaid - refund : 0n;
  }

  /** The message failed: its canister pays the instructions and keeps everything else. */
  settleFailed(record: EditableRecord, instructions: bigint): void {
    const charge = this.charge(instructions);
    record.cycles -= charge;
    record.consumed.instructions += charge;
  }

  /** The message succeeded and the record has its balance, without the prepaid cycles: gives back what was not used. */
  settle(record: EditableRecord, instructions: bigint): void {
    const charge = this.charge(instructions);
    record.cycles += this.prepaid - charge;
    record.consumed.instructions += charge;
  }
}

import { httpOutcallFee, type OutcallReplication, type OutcallUsage } from './http-outcall-fee.ts';
import { type FeeSchedule, REFERENCE_NODES } from './fee-schedule.ts';
import { GIB, SECONDS_PER_DAY } from './amount.ts';

/** Largest response to a call, which its sender pays for in advance (`MAX_INTER_CANISTER_PAYLOAD_IN_BYTES`). */
const MAX_RESPONSE_BYTES = 2n * 1024n * 1024n;
/** Size of a reject code in a response (`RejectContext::size_bytes` of dfinity/ic). */
const REJECT_CODE_BYTES = 1n;
/**
 * Nodes of the subnets that hold the keys, by name: those of mainnet ("Cycle costs", threshold cryptography, of the
 * developer docs) and the one of local networks. Other keys do not exist.
 */
export const KEY_NODES: Readonly<Record<string, bigint>> = { key_1: 34n, test_key_1: 13n, dfx_test_key: 13n };

/** Idle costs of a canister, in cycles per day. */
export interface DailyRates {
  readonly memory: bigint;
  readonly compute: bigint;
}

/**
 * Every price of the subnet, in cycles. One implementation for what is charged, what `canister_status` forecasts and
 * what the `ic0.cost_*` functions tell; the formulas are those of `rs/cycles_account_manager` of dfinity/ic, which
 * scale by the number of nodes and round down after each step.
 */
export class Fees {
  readonly schedule: FeeSchedule;
  readonly nodes: bigint;

  constructor(schedule: FeeSchedule, nodes: bigint = REFERENCE_NODES) {
    this.schedule = schedule;
    this.nodes = nodes;
  }

  get free(): boolean {
    return this.schedule.profile === 'free';
  }

  canisterCreation(): bigint {
    return this.#scaled(this.schedule.canisterCreation);
  }

  /** Taking in an ingress message of `bytes` bytes as it was sent. */
  ingress(bytes: number): bigint {
    return this.#scaled(this.schedule.ingress) + this.#scaled(this.schedule.ingressByte) * BigInt(bytes);
  }

  /** A message that runs `instructions` instructions. */
  execution(instructions: bigint, memory64: boolean): bigint {
    return this.#scaled(this.schedule.updateMessage + this.#instructions(instructions, memory64));
  }

  /** Instructions alone, without the fee for a message: what unused instructions are worth. */
  instructions(instructions: bigint, memory64: boolean): bigint {
    return this.#scaled(this.#instructions(instructions, memory64));
  }

  /** Sending a call with a name and an argument of together `bytes` bytes, and its largest response. */
  callTransmission(bytes: bigint): bigint {
    return (
      this.#scaled(this.schedule.call) +
      this.#scaled(this.schedule.callByte * bytes) +
      this.#scaled(this.schedule.callByte * MAX_RESPONSE_BYTES)
    );
  }

  /** The part of `callTransmission` that comes back with a reply of this many bytes. */
  unusedResponse(replyBytes: number): bigint {
    const most = this.#scaled(this.schedule.callByte * MAX_RESPONSE_BYTES);
    const used = this.#scaled(this.schedule.callByte * BigInt(replyBytes));
    return used < most ? most - used : 0n;
  }

  /** As `unusedResponse`, for a reject message of this many bytes. */
  unusedReject(messageBytes: number): bigint {
    return this.unusedResponse(messageBytes + Number(REJECT_CODE_BYTES));
  }

  /** What must be at hand above the freezing limit to send a call; part of it comes back with the response. */
  call(bytes: bigint, instructionLimit: bigint, memory64: boolean): bigint {
    return this.callTransmission(bytes) + this.execution(instructionLimit, memory64);
  }

  /** `bytes` bytes of memory over `seconds` seconds. */
  memory(bytes: bigint, seconds: bigint): bigint {
    return this.#scaled((bytes * this.schedule.storageGibSecond * seconds) / GIB);
  }

  /** What a canister with these bytes and this compute allocation (percent) costs while it does nothing. */
  perDay(bytes: bigint, computePercent: bigint): DailyRates {
    const base = bytes > 0n ? this.#scaled(this.schedule.canisterSecond * SECONDS_PER_DAY) : 0n;
    return {
      memory: this.memory(bytes, SECONDS_PER_DAY) + base,
      compute: this.#scaled(this.schedule.computePercentSecond * SECONDS_PER_DAY * computePercent),
    };
  }

  /** A threshold signature or key derivation with the named key, if there is such a key. */
  keyUse(keyName: string): bigint | undefined {
    const nodes = Object.hasOwn(KEY_NODES, keyName) ? KEY_NODES[keyName] : undefined;
    return nodes === undefined ? undefined : (this.schedule.keyUse * nodes) / REFERENCE_NODES;
  }

  /** An HTTP outcall of pricing version 1; sizes in bytes. */
  httpRequest(requestBytes: bigint, maxResponseBytes: bigint): bigint {
    const { outcallLinear, outcallQuadratic, outcallRequestByte, outcallResponseByte } = this.schedule;
    const perNode =
      outcallLinear +
      outcallQuadratic * this.nodes +
      outcallRequestByte * requestBytes +
      outcallResponseByte * maxResponseBytes;
    return perNode * this.nodes;
  }

  /** An HTTP outcall of pricing version 2. */
  httpOutcall(usage: OutcallUsage, replication: OutcallReplication): bigint {
    return this.free ? 0n : httpOutcallFee(usage, replication, this.nodes);
  }

  #instructions(instructions: bigint, memory64: boolean): bigint {
    const { tenInstructions, tenInstructionsMemory64 } = this.schedule;
    return ((memory64 ? tenInstructionsMemory64 : tenInstructions) * instructions) / 10n;
  }

  #scaled(cycles: bigint): bigint {
    return (cycles * this.nodes) / REFERENCE_NODES;
  }
}

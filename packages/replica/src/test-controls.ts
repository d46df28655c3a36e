import type { RequestLeaf } from '@cannery/ic/state-leaves';
import type { Admission, IngressMessage } from './messages.ts';
import type { MockedResponse, Outcall } from './state/outcall.ts';

/** What is known of a canister that exists. */
export interface CanisterGlance {
  readonly controllers: readonly Uint8Array[];
  /** The main balance as of now. */
  readonly cycles: bigint;
}

/**
 * What a test may do to an engine that was started with `steps`, besides what everybody may. Such an engine carries out
 * messages in rounds that are asked for, at times that are set, unless it is told to go on by itself. Each method
 * rejects with the reason where it cannot do what it was asked.
 */
export interface TestControls {
  /**
   * One round: time moves by a nanosecond, or to what `setTime` said; timers that are due and heartbeats run, and all
   * messages with what they bring about, up to `MOST_MESSAGES` of `engine/steps/rounds.ts`. Timers fire once, however far time
   * moved. Does nothing while the engine goes on by itself.
   */
  round(): Promise<void>;
  /** Nanoseconds since 1970 that the next round has, unless time runs. */
  time(): bigint;
  /** The next round is at `nanos`; `now`: it is that time at once, and nothing else happens. Never back. */
  setTime(nanos: bigint, now: boolean): Promise<void>;
  /** Whether it goes on by itself: time then runs, from the machine's clock where that is ahead. */
  setProgress(on: boolean): void;
  /** As `Engine.submit`; a call about a canister goes to the address of that canister, whatever `message` says. */
  submit(message: IngressMessage): Promise<Admission>;
  /** A request and its status; undefined for one that is not known. */
  request(requestId: Uint8Array): RequestLeaf | undefined;
  /** Undefined where there is no such canister. */
  canister(canisterId: Uint8Array): CanisterGlance | undefined;
  /** Gives a canister cycles from nothing, and returns what it has then. */
  addCycles(canisterId: Uint8Array, amount: bigint): bigint;
  /** The whole stable memory. */
  stableMemory(canisterId: Uint8Array): Uint8Array;
  /** Replaces the whole stable memory; the heap stays. */
  setStableMemory(canisterId: Uint8Array, bytes: Uint8Array): void;
  /** HTTP requests that wait for an answer, in their order. */
  outcalls(): readonly Outcall[];
  /** Answers one of them; the canister hears of it in the next round. */
  answerOutcall(id: number, response: MockedResponse): Promise<void>;
}

/** A call of one of the controls, as it travels to the thread of the engine. */
export interface ControlCall<Name extends keyof TestControls = keyof TestControls> {
  readonly name: Name;
  readonly args: Parameters<TestControls[Name]>;
}

/** What a control answers. */
export type ControlResult<Name extends keyof TestControls = keyof TestControls> = Awaited<
  ReturnType<TestControls[Name]>
>;

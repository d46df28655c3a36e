import { replicaErrors } from '@cannery/ic/errors';
import { STORE_PAGE_BYTES, WASM_PAGE_BYTES } from '@cannery/ic/limits';
import type { RequestLeaf } from '@cannery/ic/state-leaves';
import { LATEST_TIME_NANOS, TOO_FAR, type SubnetTime } from '../../clock.ts';
import { standingAccount } from '../../execution/spending.ts';
import { providedCycles } from '../../management/canisters/cycles.ts';
import { managementTarget } from '../../management/dispatch.ts';
import { canisterOf } from '../../management/method/method.ts';
import type { Admission, IngressMessage } from '../../messages.ts';
import type { DueWork } from '../../scheduler/due-work.ts';
import type { Scheduler, SlicedEnvironment } from '../../scheduler/scheduler.ts';
import type { Canister } from '../../state/canister.ts';
import { idKey } from '../../state/canister-id.ts';
import type { MockedResponse, Outcall } from '../../state/outcall.ts';
import { decodeState, storeKeys } from '../../state/state-store.ts';
import type { CanisterGlance, TestControls } from '../../test-controls.ts';
import type { Outcalls } from '../outcalls/outcalls.ts';
import type { Rounds } from './rounds.ts';

/** Largest stable memory that is handed over as a whole, in bytes. */
const MOST_STABLE_BYTES = 1024 ** 3;

/** The control cannot do what it was asked. */
class ControlError extends Error {
  override readonly name = 'ControlError';
}

/** What the controls need of the engine. */
interface TestControlParts {
  readonly env: SlicedEnvironment;
  readonly time: SubnetTime;
  readonly scheduler: Scheduler;
  readonly dueWork: DueWork;
  readonly rounds: Rounds;
  readonly outcalls: Outcalls;
  readonly submit: (message: IngressMessage) => Promise<Admission>;
  /** Carries out messages while rounds are open. */
  readonly pump: () => void;
  /** Resolves when nothing is left to do in this round; false when the engine is closing. */
  readonly idle: () => Promise<boolean>;
  /** Resolves once all that was committed is on disk and published. */
  readonly flushed: () => Promise<void>;
}

/** See `TestControls`. */
export class TestControl implements TestControls {
  readonly #parts: TestControlParts;
  /** The time of the next round, where it was set. */
  #next: bigint | undefined;

  constructor(parts: TestControlParts) {
    this.#parts = parts;
  }

  async round(): Promise<void> {
    const { scheduler, dueWork, rounds, pump, idle, flushed } = this.#parts;
    if (rounds.isFree) return;
    this.#moveTo(this.#next ?? this.#parts.time.now() + 1n);
    this.#next = undefined;
    rounds.open();
    dueWork.beginRound();
    scheduler.beginRound();
    pump();
    await idle();
    if (!rounds.isFree) rounds.close();
    await flushed();
  }

  time(): bigint {
    return this.#next ?? this.#parts.time.now();
  }

  async setTime(nanos: bigint, now: boolean): Promise<void> {
    const { rounds, dueWork, pump, flushed } = this.#parts;
    const before = this.time();
    if (nanos < before)
      throw new ControlError(`SettingTimeIntoPast: it is ${before} already, later than ${nanos}.`);
    if (nanos > LATEST_TIME_NANOS) throw new ControlError(TOO_FAR);
    if (!now && !rounds.isFree) {
      this.#next = nanos;
      return;
    }
    this.#next = undefined;
    this.#moveTo(nanos);
    if (rounds.isFree) {
      dueWork.ring();
      pump();
    }
    await flushed();
  }

  setProgress(on: boolean): void {
    const { rounds, time, dueWork, scheduler, pump } = this.#parts;
    if (on === rounds.isFree) return;
    if (on) {
      if (this.#next !== undefined) this.#moveTo(this.#next);
      this.#next = undefined;
      time.run();
      rounds.free();
      this.#keepOffset();
      dueWork.ring();
      scheduler.beginRound();
      pump();
    } else {
      time.stop(time.now());
      rounds.close();
    }
  }

  submit(message: IngressMessage): Promise<Admission> {
    const { method, arg, canisterId, sender } = message;
    const target =
      canisterId.length > 0
        ? undefined
        : managementTarget({
            kind: 'request',
            origin: { kind: 'system' },
            caller: sender,
            method,
            arg,
            cycles: 0n,
            deadline: 0n,
          });
    return this.#parts.submit(
      target === undefined
        ? message
        : { ...message, effectiveCanisterId: new Uint8Array(Buffer.from(target, 'hex')) },
    );
  }

  request(requestId: Uint8Array): RequestLeaf | undefined {
    const stored = this.#parts.env.store.get(storeKeys.request(idKey(requestId)));
    return stored && decodeState<RequestLeaf>(stored);
  }

  canister(canisterId: Uint8Array): CanisterGlance | undefined {
    const canister = this.#parts.env.state.find(canisterId);
    return canister && { controllers: canister.record.controllers, cycles: this.#balance(canister) };
  }

  addCycles(canisterId: Uint8Array, amount: bigint): bigint {
    const { env, scheduler } = this.#parts;
    const canister = canisterOf(env, canisterId);
    scheduler.change((tx) => {
      tx.edit(canister).cycles += providedCycles(amount);
      tx.saveCanister(canister);
    });
    return this.#balance(canister);
  }

  stableMemory(canisterId: Uint8Array): Uint8Array {
    const { env } = this.#parts;
    const canister = canisterOf(env, canisterId);
    const bytes = canister.record.stablePages * WASM_PAGE_BYTES;
    if (bytes > MOST_STABLE_BYTES)
      throw new ControlError(`A stable memory of ${bytes} bytes is too large to be handed over.`);
    return env.store.readPages(canister.stableSpace(), 0, bytes / STORE_PAGE_BYTES);
  }

  setStableMemory(canisterId: Uint8Array, bytes: Uint8Array): void {
    const { env, scheduler } = this.#parts;
    const canister = canisterOf(env, canisterId);
    if (!canister.record.code) throw replicaErrors.noWasmModule(canister.id);
    if (bytes.length > MOST_STABLE_BYTES)
      throw new ControlError(`A stable memory may have ${MOST_STABLE_BYTES} bytes at most.`);
    const wasmPages = Math.ceil(bytes.length / WASM_PAGE_BYTES);
    const pages = (wasmPages * WASM_PAGE_BYTES) / STORE_PAGE_BYTES;
    const whole = new Uint8Array(wasmPages * WASM_PAGE_BYTES);
    whole.set(bytes);
    // What is loaded would go on showing the old memory.
    env.codes.forget(canister);
    scheduler.change((tx) => {
      const record = tx.edit(canister);
      tx.dropSpace(canister.stableSpace());
      record.stableGeneration += 1;
      record.stablePages = wasmPages;
      record.version += 1n;
      for (let page = 0; page < pages; page++) {
        const at = page * STORE_PAGE_BYTES;
        tx.writePage(canister.stableSpace(), page, whole.subarray(at, at + STORE_PAGE_BYTES));
      }
      tx.resizeSpace(canister.stableSpace(), pages);
      tx.saveCanister(canister);
    });
  }

  outcalls(): readonly Outcall[] {
    return [...this.#parts.env.state.outcalls.values()];
  }

  async answerOutcall(id: number, response: MockedResponse): Promise<void> {
    const { env, outcalls } = this.#parts;
    const outcall = env.state.outcalls.get(id);
    if (!outcall) throw new ControlError(`No HTTP request with the number ${id} waits for an answer.`);
    await outcalls.mock(outcall, response);
  }

  /** It is `nanos` now; a restart knows it. */
  #moveTo(nanos: bigint): void {
    this.#parts.time.set(nanos);
    this.#keepOffset();
  }

  #keepOffset(): void {
    const { scheduler, time } = this.#parts;
    scheduler.change((tx) => {
      tx.state.record.timeOffsetNanos = time.offsetNanos;
    });
  }

  #balance(canister: Canister): bigint {
    const { env } = this.#parts;
    return standingAccount(env, canister, env.clock.now()).balance;
  }
}

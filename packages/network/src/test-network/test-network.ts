import type { IcMethods } from '@cannery/ic/generated/ic-interface';
import type { InstructionLimits } from '@cannery/ic/limits';
import type { FeeProfile } from '@cannery/replica/cycles/fee-schedule';
import { EngineHere } from '@cannery/replica/engine/engine-here';
import type { Print } from '@cannery/replica/messages';
import type { MockedResponse, Outcall } from '@cannery/replica/state/outcall';
import type { CanisterGlance } from '@cannery/replica/test-controls';
import type { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import type { Service } from '../services/chosen-services.ts';
import { encodeManagement, NO_SETTINGS } from '../services/management-argument.ts';
import { createActor } from './actor.ts';
import { Calls } from './calls.ts';
import { installTestServices } from './install-test-services.ts';
import { decodeManagement } from './management.ts';
import { makeFolder, removeFolder } from './temporary-folder.ts';
import { seededBytes, testRoot } from './test-keys.ts';

export { CallRejectedError, CallUnansweredError, NetworkEndedError } from './errors.ts';

const NANOS_PER_MILLI = 1_000_000n;
/** 6 May 2021, 19:17:10 UTC, when the Internet Computer began: PocketIC begins there too. In milliseconds since 1970. */
const GENESIS_MILLIS = 1_620_328_630_000;
/** What a canister gets that nobody says anything of. */
const DEFAULT_CYCLES = 10_000_000_000_000n;
const NO_ARGUMENTS = Uint8Array.of(0x44, 0x49, 0x44, 0x4c, 0, 0);
const ANONYMOUS = Principal.anonymous();

export interface TestNetworkOptions {
  /** Two networks with one seed do the same, byte for byte, when the same is asked of them; 0 where not given. */
  readonly seed?: number | string;
  /** When the network begins; 6 May 2021 where not given. */
  readonly startTime?: Date;
  /** What things cost; `docs-2026-08`, as on mainnet, where not given. */
  readonly fees?: FeeProfile;
  /** System canisters to install; none where not given. Those that one needs have to be named too. */
  readonly services?: readonly Service[];
  /** Weighted instructions that a message may use; mainnet's limits where not given. */
  readonly instructionLimits?: Partial<InstructionLimits>;
  /** Bytes of heap and stable memory that all canisters may have loaded; half of the machine's memory where not given. */
  readonly memoryBytes?: number;
  /** Hears what canisters print. */
  readonly onPrint?: (canisterId: Principal, text: string) => void;
}

/** Who calls; the anonymous principal where not given. */
export interface Sender {
  readonly sender?: Principal;
}

/** A call that is under way: it is carried out in rounds that come by `tick`, `advance` or the calls that are waited for. */
export interface PendingCall {
  /** Goes on until the call has its reply; rejects as `TestNetwork.update`. */
  reply(): Promise<Uint8Array>;
}

export type InstallMode = 'install' | 'reinstall' | 'upgrade';

/**
 * A network in the process of a test, without a port: canisters run when a round is asked for, in the order in which they were called,
 * at the time that the test says. Everything follows from the seed. What is asked at once is done one after another.
 */
export class TestNetwork implements AsyncDisposable {
  readonly #engine: EngineHere;
  readonly #calls: Calls;
  readonly #folder: string;
  #closed: Promise<void> | undefined;

  private constructor(engine: EngineHere, seed: string, folder: string) {
    this.#engine = engine;
    this.#calls = new Calls(engine, seed);
    this.#folder = folder;
  }

  /** Opens a network with nothing in it but its services; close it, or declare it with `await using`. */
  static async open(options: TestNetworkOptions = {}): Promise<TestNetwork> {
    const { startTime, fees, services = [], instructionLimits, memoryBytes, onPrint } = options;
    const seed = String(options.seed ?? 0);
    const folder = makeFolder();
    try {
      const { rootKey, subnetId } = testRoot;
      const engine = new EngineHere({
        dataDir: folder,
        rootKeyDer: rootKey,
        subnetId,
        httpOutcalls: 'mocked',
        steps: {
          startNanos: BigInt(startTime?.getTime() ?? GENESIS_MILLIS) * NANOS_PER_MILLI,
          seed: seededBytes(seed, 'network'),
        },
        prints: onPrint !== undefined,
        ...(fees && { fees }),
        ...(instructionLimits && { instructionLimits }),
        ...(memoryBytes !== undefined && { memoryBytes }),
      });
      if (onPrint) engine.onPrint((print) => tellPrint(print, onPrint));
      const network = new TestNetwork(engine, seed, folder);
      await installTestServices(network, new Set(services));
      return network;
    } catch (error) {
      removeFolder(folder);
      throw error;
    }
  }

  /** Ends the network and removes all it has; what waits is rejected with `NetworkEndedError`. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Makes a canister, with its sender as the controller where none are given. Rejects with `CallRejectedError`. */
  async createCanister({
    cycles = DEFAULT_CYCLES,
    sender = ANONYMOUS,
    controllers = [sender],
    id,
  }: Sender & {
    readonly cycles?: bigint;
    readonly controllers?: readonly Principal[];
    /** The ID it is to have, as on mainnet; the next free one where not given. */
    readonly id?: Principal;
  } = {}): Promise<Principal> {
    const { canister_id } = await this.management(
      'provisional_create_canister_with_cycles',
      {
        amount: [cycles],
        settings: [{ ...NO_SETTINGS, controllers: [[...controllers]] }],
        specified_id: id ? [id] : [],
        sender_canister_version: [],
      },
      { sender },
    );
    return canister_id;
  }

  /** Installs a module of up to 2 MB or so, packed or not, with an encoded argument. Rejects with `CallRejectedError`. */
  async install(
    canisterId: Principal,
    wasm: Uint8Array,
    {
      arg = NO_ARGUMENTS,
      mode = 'install',
      sender,
    }: Sender & { readonly arg?: Uint8Array; readonly mode?: InstallMode } = {},
  ): Promise<void> {
    await this.management(
      'install_code',
      {
        mode: MODES[mode],
        canister_id: canisterId,
        wasm_module: wasm,
        arg,
        sender_canister_version: [],
      },
      sender && { sender },
    );
  }

  /** Calls a method of the management canister. Rejects as `update`. */
  async management<Name extends keyof IcMethods>(
    method: Name,
    arg: IcMethods[Name]['arg'],
    { sender = ANONYMOUS }: Sender = {},
  ): Promise<IcMethods[Name]['result']> {
    const reply = await this.#update({
      canisterId: undefined,
      method,
      arg: encodeManagement(method, arg),
      sender,
    });
    return decodeManagement(method, reply);
  }

  /**
   * The methods of a canister by its interface (`idlFactory` as tools generate it), called by `sender`. `T` is the interface in
   * TypeScript: methods that return promises. They reject as `update` and `query` do.
   */
  actor<T>(canisterId: Principal, idlFactory: IDL.InterfaceFactory, { sender = ANONYMOUS }: Sender = {}): T {
    return createActor<T>(idlFactory, {
      update: (method, arg) => this.update(canisterId, method, arg, { sender }),
      query: (method, arg) => this.query(canisterId, method, arg, { sender }),
    });
  }

  /**
   * Calls a method with encoded arguments and goes on, a round at a time, until it has its reply. Rejects with `CallRejectedError`, and
   * with `CallUnansweredError` after 100 rounds.
   */
  update(
    canisterId: Principal,
    method: string,
    arg: Uint8Array = NO_ARGUMENTS,
    { sender = ANONYMOUS }: Sender = {},
  ): Promise<Uint8Array> {
    return this.#update({ canisterId, method, arg, sender });
  }

  /** Asks a query method with encoded arguments. Rejects with `CallRejectedError`. */
  query(
    canisterId: Principal,
    method: string,
    arg: Uint8Array = NO_ARGUMENTS,
    { sender = ANONYMOUS }: Sender = {},
  ): Promise<Uint8Array> {
    return this.#calls.inTurn(() => this.#calls.query({ canisterId, method, arg, sender }));
  }

  /** Puts a call into its queue, and runs nothing. Rejects with `CallRejectedError` where it is not let in. */
  async submit(
    canisterId: Principal,
    method: string,
    arg: Uint8Array = NO_ARGUMENTS,
    { sender = ANONYMOUS }: Sender = {},
  ): Promise<PendingCall> {
    const call = { canisterId, method, arg, sender };
    const requestId = await this.#calls.inTurn(() => this.#calls.submit(call));
    return { reply: () => this.#calls.inTurn(() => this.#calls.reply(call, requestId)) };
  }

  /** Nanoseconds since 1970, as canisters see it. */
  time(): bigint {
    return this.#engine.controls.time();
  }

  /**
   * Sets the time ahead by some milliseconds and runs a round: what is due by then happens once, however far time jumped. With
   * `step` it stops on the way each time after this number of milliseconds, with a round each time. Rejects where time is to go back, or beyond 2255.
   */
  advance(millis: number, { step = millis }: { readonly step?: number } = {}): Promise<void> {
    return this.#calls.inTurn(async () => {
      const { controls } = this.#engine;
      const by = nanosOf(step);
      const end = controls.time() + nanosOf(millis);
      do {
        const next = controls.time() + by;
        await controls.setTime(by > 0n && next < end ? next : end, false);
        await this.#calls.round();
      } while (controls.time() < end);
    });
  }

  /** Runs rounds: heartbeats, timers that are due, and all messages with what they bring about. Time moves by a nanosecond in each. */
  tick(rounds = 1): Promise<void> {
    return this.#calls.inTurn(async () => {
      for (let round = 0; round < rounds; round++) await this.#calls.round();
    });
  }

  /** Gives a canister cycles from nothing and returns what it has then. */
  addCycles(canisterId: Principal, amount: bigint): Promise<bigint> {
    return this.#calls.inTurn(() => this.#engine.controls.addCycles(canisterId.toUint8Array(), amount));
  }

  /** Controllers and cycles of a canister; undefined where there is no such canister. */
  canister(canisterId: Principal): Promise<CanisterGlance | undefined> {
    return this.#calls.inTurn(() => this.#engine.controls.canister(canisterId.toUint8Array()));
  }

  /** A copy of the whole stable memory. */
  stableMemory(canisterId: Principal): Promise<Uint8Array> {
    return this.#calls.inTurn(() => this.#engine.controls.stableMemory(canisterId.toUint8Array()));
  }

  /** Replaces the whole stable memory; the heap stays. */
  setStableMemory(canisterId: Principal, bytes: Uint8Array): Promise<void> {
    return this.#calls.inTurn(() => this.#engine.controls.setStableMemory(canisterId.toUint8Array(), bytes));
  }

  /** HTTP requests of canisters that wait for an answer, in their order. None ever leaves the process. */
  outcalls(): Promise<readonly Outcall[]> {
    return this.#calls.inTurn(() => this.#engine.controls.outcalls());
  }

  /** Answers one of them; the canister hears of it in the next round. */
  answerOutcall({ id }: Pick<Outcall, 'id'>, response: MockedResponse): Promise<void> {
    return this.#calls.inTurn(() => this.#engine.controls.answerOutcall(id, response));
  }

  #update(call: Parameters<Calls['submit']>[0]): Promise<Uint8Array> {
    return this.#calls.inTurn(async () => this.#calls.reply(call, await this.#calls.submit(call)));
  }

  async #end(): Promise<void> {
    try {
      await this.#calls[Symbol.asyncDispose]();
      await this.#engine.close();
    } finally {
      removeFolder(this.#folder);
    }
  }
}

const MODES = {
  install: { install: null },
  reinstall: { reinstall: null },
  upgrade: { upgrade: [] },
} satisfies Record<InstallMode, IcMethods['install_code']['arg']['mode']>;

/** Throws `RangeError` for what is no length of time. */
function nanosOf(millis: number): bigint {
  if (!(millis >= 0)) throw new RangeError(`Time does not go on by ${millis} ms.`);
  return BigInt(Math.round(millis)) * NANOS_PER_MILLI;
}

function tellPrint(
  { canisterId, lines }: Print,
  listener: (canisterId: Principal, text: string) => void,
): void {
  const id = Principal.fromUint8Array(canisterId);
  for (const line of lines) listener(id, Buffer.from(line).toString());
}

import { readFile } from 'node:fs/promises';
import { Principal } from '@icp-sdk/core/principal';
import type { IcMethods, IcTypes } from '@cannery/ic/generated/ic-interface';
import { sameId } from '@cannery/replica/state/canister-id';
import { SYSTEM_PRINCIPAL } from '@cannery/replica/state/provisional';
import { NO_SETTINGS } from './management-argument.ts';
import { type CallableNetwork, SystemCaller, SystemCallError } from './system-caller.ts';
import {
  openingOptions,
  type ServiceCanister,
  serviceCanisters,
  type SystemContext,
} from './system-canisters.ts';
import type { Service } from './chosen-services.ts';

/** Where a system canister stands. */
interface Standing {
  /**
   * `foreign`: somebody else controls it, or also. `earlier`: its code is that of an earlier version of this program; `unknown`: that of
   * none, so that it may be of a later one.
   */
  readonly code: 'missing' | 'foreign' | 'empty' | 'earlier' | 'current' | 'unknown';
  readonly isRunning: boolean;
}

/** More than a canister needs from nothing to where it should be. */
const MOST_STEPS = 8;

/**
 * Puts the chosen system canisters in place, each at its ID on the Internet Computer: those that are missing are created, those
 * that have no code get it, those with the code of an earlier version are upgraded and keep what they have, and all others stay as they
 * are. It looks at what is there before each step, so it ends what an earlier start has begun, however that one ended.
 *
 * Warnings tell of a canister of somebody else at such an ID, which stays his; of code that this version does not know, which stays; and of
 * an installation or an upgrade that failed, after which the network goes on with what it has.
 */
export async function installServices(
  network: CallableNetwork,
  services: ReadonlySet<Service>,
  context: SystemContext,
  canisters: readonly ServiceCanister[] = serviceCanisters,
): Promise<void> {
  // One begins to compile while another runs.
  await Promise.all(
    canisters
      .filter(({ service }) => services.has(service))
      .map((row) => new ServiceStart(network, row, context).run()),
  );
}

class ServiceStart {
  readonly #network: CallableNetwork;
  readonly #caller: SystemCaller;
  readonly #row: ServiceCanister;
  readonly #context: SystemContext;
  readonly #id: Principal;
  readonly #about: Uint8Array;

  constructor(network: CallableNetwork, row: ServiceCanister, context: SystemContext) {
    this.#network = network;
    this.#caller = new SystemCaller(network);
    this.#row = row;
    this.#context = context;
    this.#id = Principal.fromText(row.canister.id);
    this.#about = this.#id.toUint8Array();
  }

  async run(): Promise<void> {
    let standing = await this.#look();
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const step = this.#next(standing);
      if (!step) return this.#tell(standing);
      const failure = await step().then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof SystemCallError) return error;
          throw error;
        },
      );
      const before = standing;
      standing = await this.#look();
      // Where it stands elsewhere by now, what an earlier start asked for was carried out before.
      if (failure && standing.code === before.code && standing.isRunning === before.isRunning)
        return this.#warn(`${FAILED[before.code]} ${firstLine(failure.message)}`);
    }
    this.#warn('does not get to where it should be.');
  }

  /** What brings it nearer to where it should be; nothing, if it is there. */
  #next({ code, isRunning }: Standing): (() => Promise<void>) | undefined {
    if (code === 'foreign') return undefined;
    if (code === 'missing') return () => this.#create();
    if (code === 'empty') return () => this.#install();
    if (code === 'earlier') return () => this.#upgrade();
    return isRunning ? undefined : () => this.#start();
  }

  #tell({ code }: Standing): void {
    if (code === 'foreign') this.#warn('is not installed: a canister of somebody else has its ID.');
    if (code === 'unknown') this.#warn('stays as it is: its code may be that of a later version than this.');
  }

  #warn(what: string): void {
    process.emitWarning(`The service ${this.#row.service} (${this.#row.canister.id}) ${what}`);
  }

  async #look(): Promise<Standing> {
    const { canisters } = await this.#network.engine.survey([this.#about]);
    const code = this.#code();
    return { code, isRunning: canisters[0]?.status === 'running' };
  }

  #code(): Standing['code'] {
    const canister = this.#network.state.canister(this.#about);
    if (!canister) return 'missing';
    const [controller, ...others] = canister.controllers;
    if (!controller || others.length > 0 || !sameId(controller, SYSTEM_PRINCIPAL)) return 'foreign';
    if (!canister.moduleHash) return 'empty';
    const { versions } = this.#row.canister;
    const place = versions.indexOf(Buffer.from(canister.moduleHash).toString('hex'));
    if (place < 0) return 'unknown';
    return place < versions.length - 1 ? 'earlier' : 'current';
  }

  #create(): Promise<void> {
    return this.#caller.manage('provisional_create_canister_with_cycles', this.#about, {
      amount: [this.#row.cycles],
      specified_id: [this.#id],
      settings: [{ ...SETTINGS, controllers: [[Principal.fromUint8Array(SYSTEM_PRINCIPAL)]] }],
      ...NO_VERSION,
    });
  }

  async #install(): Promise<void> {
    await this.#put({ install: null }, this.#row.canister.arg(openingOptions(this.#context)));
  }

  /** Calls under way end first: their answers would come to other code. It runs again, whatever became of the upgrade. */
  async #upgrade(): Promise<void> {
    try {
      await this.#caller.manage('stop_canister', this.#about, { canister_id: this.#id });
      await this.#put(UPGRADE, this.#row.canister.upgradeArg());
    } finally {
      await this.#start();
    }
  }

  #start(): Promise<void> {
    return this.#caller.manage('start_canister', this.#about, { canister_id: this.#id });
  }

  async #put(mode: IcMethods['install_code']['arg']['mode'], arg: Uint8Array): Promise<void> {
    const wasm_module = new Uint8Array(await readFile(this.#row.canister.module));
    const code = { ...NO_VERSION, canister_id: this.#id, wasm_module, mode, arg };
    await this.#caller.manage('install_code', this.#about, code);
  }
}

/** Without the advice that follows. */
const firstLine = (message: string): string => message.split('\n', 1).join('');

/** What a failed step leaves, by where the canister stood. */
const FAILED: Readonly<Record<Standing['code'], string>> = {
  missing: 'could not be installed, and the network starts without it:',
  foreign: 'could not be installed, and the network starts without it:',
  empty: 'could not be installed, and the network starts without it:',
  earlier: 'could not be upgraded, and goes on with the code that it had:',
  current: 'could not be started:',
  unknown: 'could not be started:',
};

const UPGRADE = {
  upgrade: [{ skip_pre_upgrade: [], wasm_memory_persistence: [{ keep: null }] }],
} satisfies IcMethods['install_code']['arg']['mode'];

const NO_VERSION: { sender_canister_version: [] } = { sender_canister_version: [] };

const SETTINGS = {
  ...NO_SETTINGS,
  // Anybody may look at what is the network's.
  log_visibility: [{ public: null }],
  status_visibility: [{ public: null }],
} satisfies Omit<IcTypes['canister_settings'], 'controllers'>;

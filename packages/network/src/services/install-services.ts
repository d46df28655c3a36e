import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Principal } from '@icp-sdk/core/principal';
import type { IcMethods, IcTypes } from '@cannery/ic/generated/ic-interface';
import { sameId } from '@cannery/replica/state/canister-id';
import { SYSTEM_PRINCIPAL } from '@cannery/replica/state/provisional';
import { NO_SETTINGS } from './management-argument.ts';
import { type CallableNetwork, SystemCaller } from './system-caller.ts';
import {
  openingOptions,
  type ServiceCanister,
  serviceCanisters,
  type SystemContext,
} from './system-canisters.ts';
import type { Service } from './chosen-services.ts';

/**
 * Puts the chosen system canisters in place, each at its ID on the Internet Computer: those that are missing are created, those
 * that have no code or that of another version get it, and those that are there stay. It ends what an earlier start has begun.
 * A canister of somebody else at such an ID stays his, and a warning says so.
 */
export async function installServices(
  network: CallableNetwork,
  services: ReadonlySet<Service>,
  context: SystemContext,
): Promise<void> {
  const caller = new SystemCaller(network);
  // One begins to compile while another runs.
  await Promise.all(
    serviceCanisters
      .filter(({ service }) => services.has(service))
      .map((each) => install(network, caller, each, context)),
  );
}

async function install(
  network: CallableNetwork,
  caller: SystemCaller,
  row: ServiceCanister,
  context: SystemContext,
): Promise<void> {
  const { canister } = row;
  const id = Principal.fromText(canister.id);
  const about = id.toUint8Array();
  const module = await readFile(canister.module);
  const installed = moduleAt(network, about);
  if (installed === 'foreign') {
    process.emitWarning(
      `Somebody's canister has the ID ${canister.id} of the service ${row.service}, which is not installed.`,
    );
    return;
  }
  const code = { ...NO_VERSION, canister_id: id, wasm_module: new Uint8Array(module) };
  if (installed === 'missing' || installed === 'empty') {
    if (installed === 'missing') await create(caller, row, id);
    const arg = canister.arg(openingOptions(context));
    await caller.manage('install_code', about, { ...code, mode: { install: null }, arg });
  } else if (!createHash('sha256').update(module).digest().equals(installed)) {
    // Calls under way end first: their answers would come to other code.
    await caller.manage('stop_canister', about, { canister_id: id });
    await caller.manage('install_code', about, { ...code, mode: UPGRADE, arg: canister.upgradeArg() });
    await caller.manage('start_canister', about, { canister_id: id });
  } else return;
  await row.afterInstall?.(caller, about, context);
}

const UPGRADE = {
  upgrade: [{ skip_pre_upgrade: [], wasm_memory_persistence: [{ keep: null }] }],
} satisfies IcMethods['install_code']['arg']['mode'];

const NO_VERSION: { sender_canister_version: [] } = { sender_canister_version: [] };

async function create(caller: SystemCaller, { cycles }: ServiceCanister, id: Principal): Promise<void> {
  await caller.manage('provisional_create_canister_with_cycles', id.toUint8Array(), {
    amount: [cycles],
    specified_id: [id],
    settings: [{ ...SETTINGS, controllers: [[Principal.fromUint8Array(SYSTEM_PRINCIPAL)]] }],
    ...NO_VERSION,
  });
}

const SETTINGS = {
  ...NO_SETTINGS,
  // Anybody may look at what is the network's.
  log_visibility: [{ public: null }],
  status_visibility: [{ public: null }],
} satisfies Omit<IcTypes['canister_settings'], 'controllers'>;

/** The SHA-256 of what is installed there. `foreign`: the network does not control the canister, or not alone. */
function moduleAt({ state }: CallableNetwork, id: Uint8Array): Uint8Array | 'missing' | 'empty' | 'foreign' {
  const canister = state.canister(id);
  if (!canister) return 'missing';
  const [controller, ...others] = canister.controllers;
  if (!controller || others.length > 0 || !sameId(controller, SYSTEM_PRINCIPAL)) return 'foreign';
  return canister.moduleHash ?? 'empty';
}

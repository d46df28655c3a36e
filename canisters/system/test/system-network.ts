import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { Actor, HttpAgent, type Identity } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { managementActor, type Management } from '../../../packages/network/test/management-actor.ts';
import { readModule, type SystemCanister, type SystemCanisterOptions } from '../index.ts';

/** 10^12 cycles. */
export const T = 1_000_000_000_000n;
/** What a canister has besides the cycles of accounts. */
const OWN_CYCLES = 100n * T;

/** A network with system canisters at their ids. */
export interface SystemNetwork {
  readonly network: LocalNetwork;
  /** The management canister for the controller of the system canisters. */
  readonly ic: Management;
  agent(identity?: Identity): Promise<HttpAgent>;
  actor<Service>(
    canister: string | Principal,
    idl: IDL.InterfaceFactory,
    identity?: Identity,
  ): Promise<Service>;
  /** The cycles of a canister, as its controller sees them. */
  cyclesOf(id: string | Principal): Promise<bigint>;
  /** The module again, over what the canister has. */
  upgrade(canister: SystemCanister): Promise<void>;
  /** A canister of the controller without a module. */
  createCanister(cycles: bigint): Promise<Principal>;
  close(): Promise<void>;
}

/** Installs system canisters at their ids on a network. */
export async function installSystem(
  url: string,
  canisters: readonly SystemCanister[],
  options: SystemCanisterOptions,
  identity: Identity,
): Promise<void> {
  const ic = managementActor(await connect(url, identity));
  const opening = (options.cycles ?? []).reduce((sum, { amount }) => sum + amount, 0n);
  for (const canister of canisters) {
    const canister_id = Principal.fromText(canister.id);
    await ic('provisional_create_canister_with_cycles', {
      amount: [OWN_CYCLES + opening],
      settings: [],
      specified_id: [canister_id],
      sender_canister_version: [],
    });
    await ic('install_code', {
      mode: { install: null },
      canister_id,
      wasm_module: await readModule(canister),
      arg: canister.arg(options),
      sender_canister_version: [],
    });
  }
}

export function connect(url: string, identity?: Identity): Promise<HttpAgent> {
  return HttpAgent.create({ host: url, identity, shouldFetchRootKey: true, retryTimes: 0 });
}

/** Starts a network in this process, with the canisters on it. */
export async function startSystem(
  canisters: readonly SystemCanister[],
  options: SystemCanisterOptions,
): Promise<SystemNetwork> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cannery-system-'));
  const network = await createLocalNetwork({ dataDir, port: 0, allowTimeControl: true });
  const controller = Ed25519KeyIdentity.generate();
  await installSystem(network.url, canisters, options, controller);
  const ic = managementActor(await connect(network.url, controller));
  const agent = (identity?: Identity): Promise<HttpAgent> => connect(network.url, identity);
  return {
    network,
    ic,
    agent,
    async actor<Service>(canister: string | Principal, idl: IDL.InterfaceFactory, identity?: Identity) {
      return Actor.createActor(idl, { agent: await agent(identity), canisterId: canister }) as Service;
    },
    async cyclesOf(id) {
      const canister_id = typeof id === 'string' ? Principal.fromText(id) : id;
      const status = (await ic('canister_status', { canister_id })) as { cycles: bigint };
      return status.cycles;
    },
    async upgrade(canister) {
      await ic('install_code', {
        mode: { upgrade: [{ skip_pre_upgrade: [], wasm_memory_persistence: [{ keep: null }] }] },
        canister_id: Principal.fromText(canister.id),
        wasm_module: await readModule(canister),
        arg: canister.upgradeArg(),
        sender_canister_version: [],
      });
    },
    async createCanister(cycles) {
      const { canister_id } = (await ic('provisional_create_canister_with_cycles', {
        amount: [cycles],
        settings: [],
        specified_id: [],
        sender_canister_version: [],
      })) as { canister_id: Principal };
      return canister_id;
    },
    async close() {
      await network.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An account as Candid has it. */
export function accountOf(
  who: Identity | Principal,
  subaccount?: Uint8Array,
): { owner: Principal; subaccount: [] | [Uint8Array] } {
  return {
    owner: who instanceof Principal ? who : who.getPrincipal(),
    subaccount: subaccount === undefined ? [] : [subaccount],
  };
}

/** The error that a call is refused with, as the ledger gave it. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => ({ unexpected: value }),
    (error: { errorType?: unknown }) => error.errorType ?? error,
  );
}

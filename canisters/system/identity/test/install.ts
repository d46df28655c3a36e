import { readFile } from 'node:fs/promises';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { identityCanister } from '../index.ts';

const MANAGEMENT = Principal.managementCanister();

async function manage(
  agent: HttpAgent,
  methodName: string,
  [type, value]: readonly [IDL.Type, unknown],
  effectiveCanisterId: Principal,
): Promise<Uint8Array> {
  const arg = new Uint8Array(IDL.encode([type], [value]));
  const { reply } = await agent.update(MANAGEMENT, { methodName, arg, effectiveCanisterId });
  return Uint8Array.from(reply);
}

/** A canister with cycles, at `id` where one is given. */
export async function createCanister(agent: HttpAgent, id?: Principal): Promise<Principal> {
  const asked = IDL.Record({ amount: IDL.Opt(IDL.Nat), specified_id: IDL.Opt(IDL.Principal) });
  const value = { amount: [10n ** 14n], specified_id: id ? [id] : [] };
  const method = 'provisional_create_canister_with_cycles';
  const reply = await manage(agent, method, [asked, value], id ?? MANAGEMENT);
  const [created] = IDL.decode([IDL.Record({ canister_id: IDL.Principal })], reply) as unknown as [
    { canister_id: Principal },
  ];
  return created.canister_id;
}

export async function installCode(
  agent: HttpAgent,
  canisterId: Principal,
  wasm: Uint8Array,
  { arg = IDL.encode([], []) as Uint8Array, upgrade = false } = {},
): Promise<void> {
  const keep = { skip_pre_upgrade: [], wasm_memory_persistence: [{ keep: null }] };
  const type = IDL.Record({
    mode: IDL.Variant({
      install: IDL.Null,
      upgrade: IDL.Opt(
        IDL.Record({
          skip_pre_upgrade: IDL.Opt(IDL.Bool),
          wasm_memory_persistence: IDL.Opt(IDL.Variant({ keep: IDL.Null, replace: IDL.Null })),
        }),
      ),
    }),
    canister_id: IDL.Principal,
    wasm_module: IDL.Vec(IDL.Nat8),
    arg: IDL.Vec(IDL.Nat8),
  });
  const mode = upgrade ? { upgrade: [keep] } : { install: null };
  await manage(
    agent,
    'install_code',
    [type, { mode, canister_id: canisterId, wasm_module: wasm, arg }],
    canisterId,
  );
}

/** The sign-in at the id that it has on every network, as its network installs it. */
export async function installIdentity(agent: HttpAgent, { upgrade = false } = {}): Promise<Principal> {
  const id = Principal.fromText(identityCanister.id);
  if (!upgrade) await createCanister(agent, id);
  const wasm = new Uint8Array(await readFile(identityCanister.module));
  await installCode(agent, id, wasm, {
    arg: upgrade ? identityCanister.upgradeArg() : identityCanister.arg(),
    upgrade,
  });
  return id;
}

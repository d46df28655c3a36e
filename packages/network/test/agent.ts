import { Actor, type ActorSubclass, HttpAgent, type Identity } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';

const canister = IDL.Record({ canister_id: IDL.Principal });
const controllersOnly = IDL.Record({ controllers: IDL.Opt(IDL.Vec(IDL.Principal)) });
const upgradeOptions = IDL.Record({
  skip_pre_upgrade: IDL.Opt(IDL.Bool),
  wasm_memory_persistence: IDL.Opt(IDL.Variant({ keep: IDL.Null, replace: IDL.Null })),
});
const mode = IDL.Variant({ install: IDL.Null, reinstall: IDL.Null, upgrade: IDL.Opt(upgradeOptions) });

/** The part of the management canister that the tests use. */
const managementInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    provisional_create_canister_with_cycles: IDL.Func(
      [IDL.Record({ amount: IDL.Opt(IDL.Nat), settings: IDL.Opt(controllersOnly) })],
      [canister],
      [],
    ),
    install_code: IDL.Func(
      [
        IDL.Record({
          mode,
          canister_id: IDL.Principal,
          wasm_module: IDL.Vec(IDL.Nat8),
          arg: IDL.Vec(IDL.Nat8),
        }),
      ],
      [],
      [],
    ),
    start_canister: IDL.Func([canister], [], []),
    stop_canister: IDL.Func([canister], [], []),
    uninstall_code: IDL.Func([canister], [], []),
    delete_canister: IDL.Func([canister], [], []),
  });

interface UpgradeOptions {
  skip_pre_upgrade: [];
  wasm_memory_persistence: [] | [{ keep: null } | { replace: null }];
}

interface Management {
  provisional_create_canister_with_cycles(args: {
    amount: [] | [bigint];
    settings: [];
  }): Promise<{ canister_id: Principal }>;
  install_code(args: {
    mode: { install: null } | { upgrade: [] | [UpgradeOptions] } | { reinstall: null };
    canister_id: Principal;
    wasm_module: Uint8Array;
    arg: Uint8Array;
  }): Promise<void>;
  start_canister(args: { canister_id: Principal }): Promise<void>;
  stop_canister(args: { canister_id: Principal }): Promise<void>;
  uninstall_code(args: { canister_id: Principal }): Promise<void>;
  delete_canister(args: { canister_id: Principal }): Promise<void>;
}

/** An agent as projects use it: default settings, all verification on. */
export function connect(url: string, identity?: Identity): Promise<HttpAgent> {
  return HttpAgent.create({ host: url, identity, shouldFetchRootKey: true, retryTimes: 0 });
}

export function management(agent: HttpAgent): ActorSubclass<Management> {
  return Actor.createActor<Management>(managementInterface, {
    agent,
    canisterId: Principal.managementCanister(),
    callTransform: (_method, [first]) => {
      const target = (first as { canister_id?: Principal }).canister_id;
      return { effectiveCanisterId: target ?? Principal.managementCanister() };
    },
  });
}

/** Creates a canister with `wasm` in it. */
export async function deploy(agent: HttpAgent, wasm: Uint8Array): Promise<Principal> {
  const canisters = management(agent);
  const { canister_id } = await canisters.provisional_create_canister_with_cycles({
    amount: [],
    settings: [],
  });
  const arg = new Uint8Array(IDL.encode([], []));
  await canisters.install_code({ mode: { install: null }, canister_id, wasm_module: wasm, arg });
  return canister_id;
}

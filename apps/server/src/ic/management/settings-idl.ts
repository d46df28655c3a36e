import {
  type AmountSetting,
  type CanisterSettings,
  eachAmount,
  type SettingsChange,
  type Visibility,
} from '@cannery/contract';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';

/** Settings of a canister in Candid (ic.did of interface specification 0.66), and their form in the contract. */

const visibility = IDL.Variant({
  controllers: IDL.Null,
  public: IDL.Null,
  allowed_viewers: IDL.Vec(IDL.Principal),
});
const variables = IDL.Vec(IDL.Record({ name: IDL.Text, value: IDL.Text }));

/** `canister_settings`: the fields that are present are set. */
export const settingsArg = IDL.Record({
  controllers: IDL.Opt(IDL.Vec(IDL.Principal)),
  ...eachAmount(() => IDL.Opt(IDL.Nat)),
  log_visibility: IDL.Opt(visibility),
  snapshot_visibility: IDL.Opt(visibility),
  status_visibility: IDL.Opt(visibility),
  environment_variables: IDL.Opt(variables),
});

/** Amounts that every network says. */
const ALWAYS_SAID: ReadonlySet<AmountSetting> = new Set([
  'compute_allocation',
  'memory_allocation',
  'freezing_threshold',
  'reserved_cycles_limit',
  'wasm_memory_limit',
]);

/** `definite_canister_settings`; what a network with an older interface does not name is optional here. */
export const settingsReply = IDL.Record({
  controllers: IDL.Vec(IDL.Principal),
  ...eachAmount((name) => (ALWAYS_SAID.has(name) ? IDL.Nat : IDL.Opt(IDL.Nat))),
  log_visibility: IDL.Opt(visibility),
  snapshot_visibility: IDL.Opt(visibility),
  status_visibility: IDL.Opt(visibility),
  environment_variables: IDL.Opt(variables),
});

type CandidVisibility = { controllers: null } | { public: null } | { allowed_viewers: Principal[] };
type Maybe<T> = [] | [T];

export interface DecodedSettings extends Readonly<Record<AmountSetting, bigint | Maybe<bigint>>> {
  readonly controllers: Principal[];
  readonly log_visibility: Maybe<CandidVisibility>;
  readonly snapshot_visibility: Maybe<CandidVisibility>;
  readonly status_visibility: Maybe<CandidVisibility>;
  readonly environment_variables: Maybe<{ name: string; value: string }[]>;
}

/** What is so where a network does not say it, unless it is 0. */
const usual: Partial<Record<AmountSetting, bigint>> = {
  log_memory_limit: 4_096n,
};

/** The settings as the contract names them. */
export function settingsOf(decoded: DecodedSettings): CanisterSettings {
  return {
    controllers: decoded.controllers.map((controller) => controller.toText()),
    ...eachAmount((name) => ([decoded[name]].flat()[0] ?? usual[name] ?? 0n).toString()),
    log_visibility: visibilityOf(decoded.log_visibility),
    snapshot_visibility: visibilityOf(decoded.snapshot_visibility),
    status_visibility: visibilityOf(decoded.status_visibility),
    environment_variables: decoded.environment_variables[0] ?? [],
  };
}

function visibilityOf([value]: Maybe<CandidVisibility>): Visibility {
  if (value === undefined || 'controllers' in value) return 'controllers';
  if ('public' in value) return 'public';
  return { allowed_viewers: value.allowed_viewers.map((viewer) => viewer.toText()) };
}

/** A change as the argument of `update_settings`; every principal in it must be well-formed. */
export function settingsValue(change: SettingsChange): Record<string, Maybe<unknown>> {
  const natural = (text: string | undefined): Maybe<bigint> => (text === undefined ? [] : [BigInt(text)]);
  return {
    controllers: change.controllers === undefined ? [] : [change.controllers.map(principal)],
    ...eachAmount((name) => natural(change[name])),
    log_visibility: visibilityValue(change.log_visibility),
    snapshot_visibility: visibilityValue(change.snapshot_visibility),
    status_visibility: visibilityValue(change.status_visibility),
    environment_variables:
      change.environment_variables === undefined ? [] : [[...change.environment_variables]],
  };
}

function visibilityValue(value: Visibility | undefined): Maybe<CandidVisibility> {
  if (value === undefined) return [];
  if (value === 'controllers') return [{ controllers: null }];
  if (value === 'public') return [{ public: null }];
  return [{ allowed_viewers: value.allowed_viewers.map(principal) }];
}

function principal(text: string): Principal {
  return Principal.fromText(text);
}

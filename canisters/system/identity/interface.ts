import type { ActorMethod } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** Whose account: that of a name, or of the key that a caller signs with. */
export type Account = { readonly name: string } | { readonly key: null };

export interface PrepareDelegation {
  readonly account: Account;
  /** The site that gets the delegation. */
  readonly origin: string;
  /** In DER. */
  readonly session_key: Uint8Array;
  /** In nanoseconds; cut at 30 days. */
  readonly max_time_to_live: [] | [bigint];
  readonly targets: [] | [Principal[]];
}

export interface GetDelegation extends Omit<PrepareDelegation, 'max_time_to_live'> {
  /** Unix time in nanoseconds, as `prepare_delegation` has said. */
  readonly expiration: bigint;
}

export type Result<T> = { readonly ok: T } | { readonly err: string };

/** The canister as an actor of `@icp-sdk/core`. */
export interface IdentityService {
  prepare_delegation: ActorMethod<
    [PrepareDelegation],
    Result<{ public_key: Uint8Array; expiration: bigint }>
  >;
  get_delegation: ActorMethod<[GetDelegation], Result<Uint8Array>>;
  register_passkey: ActorMethod<[{ credential_id: Uint8Array; public_key: Uint8Array }], Result<null>>;
  passkey_key: ActorMethod<[Uint8Array], [] | [Uint8Array]>;
  offers: ActorMethod<[], { names: boolean }>;
}

export const identityInterface: IDL.InterfaceFactory = ({ IDL }) => {
  const bytes = IDL.Vec(IDL.Nat8);
  const asked = {
    account: IDL.Variant({ name: IDL.Text, key: IDL.Null }),
    origin: IDL.Text,
    session_key: bytes,
    targets: IDL.Opt(IDL.Vec(IDL.Principal)),
  };
  const result = (ok: IDL.Type): IDL.Type => IDL.Variant({ ok, err: IDL.Text });
  return IDL.Service({
    prepare_delegation: IDL.Func(
      [IDL.Record({ ...asked, max_time_to_live: IDL.Opt(IDL.Nat64) })],
      [result(IDL.Record({ public_key: bytes, expiration: IDL.Nat64 }))],
      [],
    ),
    get_delegation: IDL.Func([IDL.Record({ ...asked, expiration: IDL.Nat64 })], [result(bytes)], ['query']),
    register_passkey: IDL.Func(
      [IDL.Record({ credential_id: bytes, public_key: bytes })],
      [result(IDL.Null)],
      [],
    ),
    passkey_key: IDL.Func([bytes], [IDL.Opt(bytes)], ['query']),
    offers: IDL.Func([], [IDL.Record({ names: IDL.Bool })], ['query']),
  });
};

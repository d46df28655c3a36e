import type { ActorMethod } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** Whose account: that of a name, or of the key that a caller signs with. */
export type Account = { readonly name: string } | { readonly key: null };

export interface PrepareDelegation {
  /** The site that gets the delegation. */
  readonly origin: string;
  /** In DER. */
  readonly session_key: Uint8Array;
  /** In nanoseconds; cut at 30 days. */
  readonly max_time_to_live: [] | [bigint];
  readonly targets: [] | [Principal[]];
}

interface GetDelegation extends Omit<PrepareDelegation, 'max_time_to_live'> {
  readonly account: Account;
  /** Unix time in nanoseconds, as `prepare_delegation` has said. */
  readonly expiration: bigint;
}

interface PreparedDelegation {
  /** In DER. */
  readonly public_key: Uint8Array;
  /** Unix time in nanoseconds. */
  readonly expiration: bigint;
}

export type Result<T> = { readonly ok: T } | { readonly err: string };

/** The canister as an actor of `@icp-sdk/core`. */
export interface IdentityService {
  prepare_delegation: ActorMethod<[PrepareDelegation], Result<PreparedDelegation>>;
  /** A network that others reach lets nobody call it. */
  prepare_delegation_by_name: ActorMethod<[string, PrepareDelegation], Result<PreparedDelegation>>;
  get_delegation: ActorMethod<[GetDelegation], Result<Uint8Array>>;
  register_passkey: ActorMethod<[{ credential_id: Uint8Array; public_key: Uint8Array }], Result<null>>;
  passkey_key: ActorMethod<[Uint8Array], [] | [Uint8Array]>;
}

export const identityInterface: IDL.InterfaceFactory = ({ IDL }) => {
  const bytes = IDL.Vec(IDL.Nat8);
  const asked = {
    origin: IDL.Text,
    session_key: bytes,
    targets: IDL.Opt(IDL.Vec(IDL.Principal)),
  };
  const result = (ok: IDL.Type): IDL.Type => IDL.Variant({ ok, err: IDL.Text });
  const account = IDL.Variant({ name: IDL.Text, key: IDL.Null });
  const prepare = IDL.Record({ ...asked, max_time_to_live: IDL.Opt(IDL.Nat64) });
  const prepared = result(IDL.Record({ public_key: bytes, expiration: IDL.Nat64 }));
  return IDL.Service({
    prepare_delegation: IDL.Func([prepare], [prepared], []),
    prepare_delegation_by_name: IDL.Func([IDL.Text, prepare], [prepared], []),
    get_delegation: IDL.Func(
      [IDL.Record({ ...asked, account, expiration: IDL.Nat64 })],
      [result(bytes)],
      ['query'],
    ),
    register_passkey: IDL.Func(
      [IDL.Record({ credential_id: bytes, public_key: bytes })],
      [result(IDL.Null)],
      [],
    ),
    passkey_key: IDL.Func([bytes], [IDL.Opt(bytes)], ['query']),
  });
};

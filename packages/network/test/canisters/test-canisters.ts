import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** Canisters in WebAssembly text for networks whose rounds are asked for; their replies are raw bytes. */

const IMPORTS = `
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $arg_size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "global_timer_set" (func $timer_set (param i64) (result i64)))
  (import "ic0" "stable64_grow" (func $stable_grow (param i64) (result i64)))
  (import "ic0" "stable64_size" (func $stable_size (result i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))`;

/**
 * `every hour` sets a timer that fires each hour, and counts at 0 how often it did; at 8 heartbeats are counted. `counts`
 * replies both, and the time, as 8 little-endian bytes each. `store` writes its argument to the stable memory, `stored`
 * replies the first 8 bytes of it and `pages` how many pages there are.
 */
export const CLOCKWORK_WAT = `
(module ${IMPORTS}
  (memory 1)
  (func $later (drop (call $timer_set (i64.add (call $time) (i64.const 3600000000000)))))
  (func (export "canister_update every hour") (call $later) (call $reply))
  (func (export "canister_global_timer")
    (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1)))
    (call $later))
  (func (export "canister_heartbeat")
    (i64.store (i32.const 8) (i64.add (i64.load (i32.const 8)) (i64.const 1))))
  (func (export "canister_query counts")
    (i64.store (i32.const 16) (call $time))
    (call $append (i32.const 0) (i32.const 24)) (call $reply))
  (func (export "canister_update store")
    (if (i64.eqz (call $stable_size)) (then (drop (call $stable_grow (i64.const 1)))))
    (call $arg (i32.const 64) (i32.const 0) (call $arg_size))
    (call $stable_write (i64.const 0) (i64.const 64) (i64.extend_i32_u (call $arg_size)))
    (call $reply))
  (func (export "canister_query stored")
    (call $stable_read (i64.const 64) (i64.const 0) (i64.const 8))
    (call $append (i32.const 64) (i32.const 8)) (call $reply))
  (func (export "canister_query pages")
    (i64.store (i32.const 64) (call $stable_size))
    (call $append (i32.const 64) (i32.const 8)) (call $reply)))`;

/** Counts, tells who calls, has a data certificate, calls another of its kind, and makes HTTP requests. */
export const TESTED_SOURCE = `
import CertifiedData "mo:core/CertifiedData";
import Error "mo:core/Error";
import Principal "mo:core/Principal";
persistent actor Tested {
  type Header = { name : Text; value : Text };
  type Response = { status : Nat; headers : [Header]; body : Blob };
  type Transform = { function : shared query { response : Response; context : Blob } -> async Response; context : Blob };
  transient let ic = actor "aaaaa-aa" : actor {
    http_request : {
      url : Text; max_response_bytes : ?Nat64; method : { #get; #head; #post }; headers : [Header]; body : ?Blob;
      transform : ?Transform; is_replicated : ?Bool;
    } -> async Response;
  };
  var count : Nat = 0;
  public func inc() : async Nat { count += 1; count };
  public query func get() : async Nat { count };
  public shared ({ caller }) func whoami() : async Principal { caller };
  public func certify(data : Blob) : async () { CertifiedData.set(data) };
  public query func certificate() : async ?Blob { CertifiedData.getCertificate() };
  public func incOf(other : Principal) : async Nat {
    await (actor (Principal.toText(other)) : actor { inc : () -> async Nat }).inc();
  };
  public query func strip({ response : Response; context : Blob }) : async Response {
    { response with headers = []; body = context };
  };
  public func fetch(transformed : Bool) : async { #ok : Response; #err : Text } {
    try {
      #ok(await (with cycles = 100_000_000_000) ic.http_request({
        url = "https://example.com/x"; max_response_bytes = ?1000; method = #post;
        headers = [{ name = "h"; value = "v" }]; body = ?"sent"; is_replicated = null;
        transform = if (transformed) ?{ function = strip; context = "kept" } else null;
      }));
    } catch (error) { #err(Error.message(error)) };
  };
};`;

const Response = IDL.Record({
  status: IDL.Nat,
  headers: IDL.Vec(IDL.Record({ name: IDL.Text, value: IDL.Text })),
  body: IDL.Vec(IDL.Nat8),
});

export type Fetched =
  | { ok: { status: bigint; headers: { name: string }[]; body: Uint8Array } }
  | { err: string };

export interface Tested {
  inc(): Promise<bigint>;
  get(): Promise<bigint>;
  whoami(): Promise<Principal>;
  certify(data: Uint8Array): Promise<undefined>;
  certificate(): Promise<[] | [Uint8Array]>;
  incOf(other: Principal): Promise<bigint>;
  fetch(transformed: boolean): Promise<Fetched>;
}

export const testedInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    inc: IDL.Func([], [IDL.Nat], []),
    get: IDL.Func([], [IDL.Nat], ['query']),
    whoami: IDL.Func([], [IDL.Principal], []),
    certify: IDL.Func([IDL.Vec(IDL.Nat8)], [], []),
    certificate: IDL.Func([], [IDL.Opt(IDL.Vec(IDL.Nat8))], ['query']),
    incOf: IDL.Func([IDL.Principal], [IDL.Nat], []),
    fetch: IDL.Func([IDL.Bool], [IDL.Variant({ ok: Response, err: IDL.Text })], []),
  });

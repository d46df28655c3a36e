import type { IDL } from '@icp-sdk/core/candid';
import { compileMotoko } from '../compile-motoko.ts';

/** The interface in TypeScript. */
export interface Counter {
  inc(): Promise<bigint>;
  get(): Promise<bigint>;
  fail(): Promise<void>;
  now(): Promise<bigint>;
  random(): Promise<Uint8Array>;
  fetch(url: string): Promise<[bigint, Uint8Array]>;
  certify(data: Uint8Array): Promise<void>;
  certificate(): Promise<[] | [Uint8Array]>;
}

export const counterInterface: IDL.InterfaceFactory = ({ IDL }) =>
  IDL.Service({
    inc: IDL.Func([], [IDL.Nat], []),
    get: IDL.Func([], [IDL.Nat], ['query']),
    fail: IDL.Func([], [], []),
    now: IDL.Func([], [IDL.Int], ['query']),
    random: IDL.Func([], [IDL.Vec(IDL.Nat8)], []),
    fetch: IDL.Func([IDL.Text], [IDL.Nat, IDL.Vec(IDL.Nat8)], []),
    certify: IDL.Func([IDL.Vec(IDL.Nat8)], [], []),
    certificate: IDL.Func([], [IDL.Opt(IDL.Vec(IDL.Nat8))], ['query']),
  });

/** The module of a counter, which can do some more. */
export const counterWasm = (): Uint8Array =>
  compileMotoko(`
import CertifiedData "mo:core/CertifiedData";
import Runtime "mo:core/Runtime";
import Time "mo:core/Time";
persistent actor {
  type Header = { name : Text; value : Text };
  transient let ic = actor "aaaaa-aa" : actor {
    raw_rand : () -> async Blob;
    http_request : {
      url : Text; max_response_bytes : ?Nat64; method : { #get; #head; #post }; headers : [Header]; body : ?Blob;
      transform : ?{ function : shared query { response : { status : Nat; headers : [Header]; body : Blob }; context : Blob } -> async { status : Nat; headers : [Header]; body : Blob }; context : Blob };
    } -> async { status : Nat; headers : [Header]; body : Blob };
  };
  var count : Nat = 0;
  public func inc() : async Nat { count += 1; count };
  public query func get() : async Nat { count };
  public func fail() : async () { Runtime.trap("on purpose") };
  public query func now() : async Int { Time.now() };
  public func random() : async Blob { await ic.raw_rand() };
  public func fetch(url : Text) : async (Nat, Blob) {
    let { status; body } = await (with cycles = 1_000_000_000) ic.http_request({
      url; max_response_bytes = ?1_000; method = #get; headers = []; body = null; transform = null;
    });
    (status, body)
  };
  public func certify(data : Blob) : async () { CertifiedData.set(data) };
  public query func certificate() : async ?Blob { CertifiedData.getCertificate() };
};
`);

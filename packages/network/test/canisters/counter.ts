import { Actor, type ActorMethod, type ActorSubclass, type HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** A canister with one of each thing the tests of the HTTP interface need. */
export const COUNTER_SOURCE = `
import CertifiedData "mo:core/CertifiedData";
import Runtime "mo:core/Runtime";
persistent actor {
  var count : Nat = 0;
  public func inc() : async Nat { count += 1; count };
  public query func get() : async Nat { count };
  public query ({ caller }) func whoami() : async Principal { caller };
  public func trap() : async () { count += 1000; Runtime.trap("on purpose") };
  public func certify(data : Blob) : async () { CertifiedData.set(data) };
  public query func certificate() : async ?Blob { CertifiedData.getCertificate() };
};
`;

const counterInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    inc: IDL.Func([], [IDL.Nat], []),
    get: IDL.Func([], [IDL.Nat], ['query']),
    whoami: IDL.Func([], [IDL.Principal], ['query']),
    trap: IDL.Func([], [], []),
    certify: IDL.Func([IDL.Vec(IDL.Nat8)], [], []),
    certificate: IDL.Func([], [IDL.Opt(IDL.Vec(IDL.Nat8))], ['query']),
  });

interface Counter {
  inc: ActorMethod<[], bigint>;
  get: ActorMethod<[], bigint>;
  whoami: ActorMethod<[], Principal>;
  trap: ActorMethod<[], undefined>;
  certify: ActorMethod<[Uint8Array], undefined>;
  certificate: ActorMethod<[], [] | [Uint8Array]>;
}

export function counter(agent: HttpAgent, canisterId: Principal): ActorSubclass<Counter> {
  return Actor.createActor<Counter>(counterInterface, { agent, canisterId });
}

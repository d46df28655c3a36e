import { IDL } from '@icp-sdk/core/candid';
import type { ActorMethod } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';

/** A backend that says who calls it. */
export const WHOAMI = `
persistent actor {
  public shared ({ caller }) func whoami() : async Principal { caller };
  public shared query ({ caller }) func asked_by() : async Principal { caller };
};
`;

export interface Whoami {
  whoami: ActorMethod<[], Principal>;
  asked_by: ActorMethod<[], Principal>;
}

export const whoamiInterface: IDL.InterfaceFactory = ({ IDL: idl }) =>
  idl.Service({
    whoami: idl.Func([], [IDL.Principal], []),
    asked_by: idl.Func([], [IDL.Principal], ['query']),
  });

import { Actor, type HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { MANAGEMENT_METHODS } from '../../replica/src/management/table.ts';

type Actors = Record<string, (argument: object) => Promise<unknown>>;
/** Calls a method with its argument. */
export type Management = (method: string, argument: object) => Promise<unknown>;

/** Every method of the management canister through the stock agent, addressed as the specification says. */
export function managementActor(agent: HttpAgent): Management {
  const service: IDL.InterfaceFactory = () =>
    IDL.Service(
      Object.fromEntries(
        [...MANAGEMENT_METHODS.values()].map(({ name, argType, resultType, query }) => [
          name,
          IDL.Func(argType ? [argType] : [], resultType ? [resultType] : [], query ? ['query'] : []),
        ]),
      ),
    );
  const addressed = (_method: string, [first]: readonly unknown[]): { effectiveCanisterId: Principal } => {
    const { canister_id, target_canister } = first as {
      canister_id?: Principal;
      target_canister?: Principal;
    };
    return { effectiveCanisterId: canister_id ?? target_canister ?? Principal.managementCanister() };
  };
  const actor = Actor.createActor<Actors>(service, {
    agent,
    canisterId: Principal.managementCanister(),
    callTransform: addressed,
    queryTransform: addressed,
  });
  return (method, argument) => {
    const call = actor[method];
    if (!call) throw new Error(`no method ${method}`);
    return call(argument);
  };
}

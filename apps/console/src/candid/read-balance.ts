import type { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { decodeReply } from './reply/decode-reply.ts';

const CanisterIdRecord = IDL.Record({ canister_id: IDL.Principal });
/** The one field of the status that is read; Candid skips the others. */
const Balance = IDL.Record({ cycles: IDL.Nat });

/**
 * The balance of a canister in cycles, by a query of its status, which costs it nothing; undefined when the network
 * does not say, as to anyone but a controller.
 */
export async function readBalance(agent: HttpAgent, id: string): Promise<bigint | undefined> {
  const canisterId = Principal.fromText(id);
  try {
    const answer = await agent.query(Principal.managementCanister(), {
      methodName: 'canister_status',
      arg: IDL.encode([CanisterIdRecord], [{ canister_id: canisterId }]),
      effectiveCanisterId: canisterId,
    });
    if (!('reply' in answer)) return undefined;
    const [status] = decodeReply([Balance], answer.reply.arg) as [{ cycles: bigint }];
    return status.cycles;
  } catch {
    // The balance is beside the call that was asked for; what is wrong with the network, the call itself will say.
    return undefined;
  }
}

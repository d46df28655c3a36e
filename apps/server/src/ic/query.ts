import type { HttpAgent } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { AppError } from '../errors.ts';

/**
 * The Candid-encoded reply of a query.
 * @throws AppError network_rejected with the words of the network, or what the agent throws
 */
export async function queryOf(
  agent: HttpAgent,
  canisterId: string,
  methodName: string,
  arg: Uint8Array,
  effectiveCanisterId: string,
): Promise<Uint8Array> {
  const answer = await agent.query(canisterId, {
    methodName,
    arg,
    effectiveCanisterId: Principal.fromText(effectiveCanisterId),
  });
  if ('reply' in answer) return answer.reply.arg;
  throw new AppError('network_rejected', answer.reject_message, {
    detail: `${answer.reject_message} (reject code ${answer.reject_code}, ${answer.error_code ?? ''})`,
  });
}

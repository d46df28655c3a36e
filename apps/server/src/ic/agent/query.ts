import type { HttpAgent } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { RejectedError, wordRejection } from '../replies/ic-errors.ts';

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
  const { reject_message: text, reject_code: code, error_code: errorCode } = answer;
  throw new RejectedError('network_rejected', wordRejection(text, code, errorCode));
}

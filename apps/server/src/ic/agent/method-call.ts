import { type HttpAgent, type Identity, QueryResponseStatus } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { type CallOutcome, isTooLate, refusalIn } from '../replies/call-outcome.ts';
import { RejectedError, wordRejection } from '../replies/ic-errors.ts';
import type { NetworkTime } from '../../network/network-time.ts';
import type { AgentSource } from './agent.ts';
import { LIFETIME_MS, signCall, submitCall } from './signed-call.ts';

/** How long the answer to a call is waited for; after that its outcome is asked for again. */
const PATIENCE_MS = 15_000;

/** A call of a method with encoded arguments, as the server's identity. */
export interface MethodCall {
  readonly canisterId: string;
  readonly method: string;
  readonly arg: Uint8Array;
}

/** An update, which the network knows by what it says, its nonce and its expiry together. */
interface MethodUpdate extends MethodCall {
  /** 16 bytes. */
  readonly nonce: Uint8Array;
  /** By the clock of this computer, four minutes after the call was made first; undefined where it is made once. */
  readonly expiresAt: Date | undefined;
}

/** What became of a call; `pending` when no outcome is known yet. */
export type MethodOutcome =
  | Extract<CallOutcome, { status: 'replied' }>
  | Extract<CallOutcome, { status: 'rejected' }>
  | { readonly status: 'pending' };

/** Methods of canisters, called as the server. Failures are AppErrors `network_unavailable`; a refusal is an outcome. */
export interface Methods {
  query(call: MethodCall): Promise<MethodOutcome>;
  /** The same call made again has no second effect; it answers the outcome of the first. */
  update(call: MethodUpdate): Promise<MethodOutcome>;
}

/** Methods of canisters over agents that sign with an identity. */
export function methodsOver(options: {
  identity: Identity;
  agents: AgentSource;
  time: NetworkTime;
}): Methods {
  const { identity, agents, time } = options;
  /** Made again it is the same call, also when the embedded network was set ahead meanwhile: by then it has expired. */
  const sameAs = (expiresAt: Date): number =>
    expiresAt.getTime() + time.setAheadAt(expiresAt.getTime() - LIFETIME_MS);
  return {
    query: ({ canisterId, method: methodName, arg }) =>
      agents.with(async (agent) => {
        const answer = await agent.query(canisterId, { methodName, arg });
        if (answer.status === QueryResponseStatus.Replied)
          return { status: 'replied', reply: answer.reply.arg };
        const { reject_code: code, reject_message: text, error_code: errorCode } = answer;
        return { status: 'rejected', ...wordRejection(text, code, errorCode) };
      }),
    async update({ canisterId, method, arg, nonce, expiresAt }) {
      const message = { canisterId, method, arg, effectiveCanisterId: canisterId };
      // Signed once: the agent may begin again.
      const call = await signCall(identity, message, {
        nonce,
        expiresAt: new Date(
          expiresAt === undefined ? (await agents.now(canisterId)) + LIFETIME_MS : sameAs(expiresAt),
        ),
      });
      return agents.with(async (agent) => {
        const outcome = await submitCall(agent, call, { time, waitMs: PATIENCE_MS });
        if (outcome.status === 'replied') return outcome;
        // Whoever calls a method has it refused now, not when the call has expired.
        const refusal = isTooLate(outcome, call) ? undefined : refusalIn(outcome);
        return refusal === undefined ? { status: 'pending' } : { ...refusal, status: 'rejected' };
      });
    },
  };
}

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

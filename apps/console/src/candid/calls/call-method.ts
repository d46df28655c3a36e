import { CandidError, type ServiceMethod } from '@cannery/candid';
import {
  type HttpAgent,
  isV2ResponseBody,
  QueryResponseStatus,
  RejectError,
  UncertifiedRejectErrorCode,
  UncertifiedRejectUpdateErrorCode,
} from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { hexText, sizeProblem } from '../form/blob-bytes.ts';
import { decodeReply } from '../reply/decode-reply.ts';

/** The canister answered, but not with what its interface promises. */
export class ReplyMismatchError extends Error {
  override readonly name = 'ReplyMismatchError';
  /** The reply as it came, in hexadecimal. */
  readonly hex: string;

  constructor(bytes: Uint8Array, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.hex = hexText(bytes);
  }
}

/** What a call brought. */
export interface CallAnswer {
  /** The reply as encoded Candid; undefined for a oneway method, which never replies. */
  readonly reply: Uint8Array | undefined;
  /** By how much the canister's balance fell, in cycles, where whoever made the call tells. */
  readonly cycles?: bigint | undefined;
}

/**
 * Sends a call with encoded arguments and waits for its answer.
 * @throws RejectError or RefusedCallError when the canister or the network refuses, other errors when the network fails
 */
export type SendCall = (method: ServiceMethod, arg: Uint8Array) => Promise<CallAnswer>;

/**
 * Calls a method and checks that its reply is what the interface promises.
 * @throws what sending throws; CandidError, before anything is sent, for more than a call takes; ReplyMismatchError when the reply does not fit the interface
 */
export async function callMethod(
  send: SendCall,
  method: ServiceMethod,
  values: unknown[],
): Promise<CallAnswer> {
  const arg = new Uint8Array(IDL.encode(method.args, values));
  const problem = sizeProblem('What is to be sent', arg.length);
  if (problem !== undefined) throw new CandidError(problem);
  const answer = await send(method, arg);
  if (answer.reply !== undefined) check(method, answer.reply);
  return answer;
}

/** Sends calls to the network itself, as the identity of an agent. */
export function sendByAgent(agent: HttpAgent, canisterId: string): SendCall {
  const canister = Principal.fromText(canisterId);
  return async ({ name: methodName, mode }, arg) => {
    const fields = { methodName, arg };
    switch (mode) {
      case 'query':
      case 'composite_query':
        return { reply: await query(agent, canister, fields) };
      case 'update':
        return { reply: (await agent.update(canister, fields)).reply };
      case 'oneway':
        await send(agent, canister, fields);
        return { reply: undefined };
    }
  };
}

interface CallFields {
  readonly methodName: string;
  readonly arg: Uint8Array;
}

async function query(agent: HttpAgent, canister: Principal, fields: CallFields): Promise<Uint8Array> {
  const response = await agent.query(canister, fields);
  if (response.status === QueryResponseStatus.Replied) return response.reply.arg;
  const { requestId, reject_code, reject_message, error_code, signatures } = response;
  throw RejectError.fromCode(
    new UncertifiedRejectErrorCode(requestId, reject_code, reject_message, error_code, signatures),
  );
}

async function send(agent: HttpAgent, canister: Principal, fields: CallFields): Promise<void> {
  const { requestId, response } = await agent.call(canister, { ...fields, callSync: false });
  if (!isV2ResponseBody(response.body)) return;
  const { reject_code, reject_message, error_code } = response.body;
  throw RejectError.fromCode(
    new UncertifiedRejectUpdateErrorCode(requestId, reject_code, reject_message, error_code),
  );
}

function check({ results }: ServiceMethod, reply: Uint8Array): void {
  try {
    decodeReply(results, reply);
  } catch (error) {
    throw new ReplyMismatchError(reply, error);
  }
}

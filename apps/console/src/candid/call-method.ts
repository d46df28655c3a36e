import type { ServiceMethod } from '@cannery/candid';
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
import { hexText } from './form/blob-bytes.ts';
import { decodeReply } from './reply/decode-reply.ts';

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

/**
 * Calls a method and returns its reply as encoded Candid; undefined for a oneway method, which never replies.
 * @throws RejectError when the canister or the network refuses, other AgentErrors when the network fails
 * @throws ReplyMismatchError when the reply does not fit the interface
 */
export async function callMethod(
  agent: HttpAgent,
  canisterId: string,
  method: ServiceMethod,
  values: unknown[],
): Promise<Uint8Array | undefined> {
  const canister = Principal.fromText(canisterId);
  const fields = { methodName: method.name, arg: IDL.encode(method.args, values) };
  switch (method.mode) {
    case 'query':
    case 'composite_query':
      return checked(method, await query(agent, canister, fields));
    case 'update':
      return checked(method, (await agent.update(canister, fields)).reply);
    case 'oneway':
      await send(agent, canister, fields);
      return undefined;
  }
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

function checked({ results }: ServiceMethod, reply: Uint8Array): Uint8Array {
  try {
    decodeReply(results, reply);
    return reply;
  } catch (error) {
    throw new ReplyMismatchError(reply, error);
  }
}

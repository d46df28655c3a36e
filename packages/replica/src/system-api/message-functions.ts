import { replicaErrors } from '@cannery/ic/errors';
import { blobFunctions, joinedBytes, readText, requireInHeap } from './blob.ts';
import type { MessageContext, Response } from './message-context.ts';
import { type Invocation, PER_BYTE_SENT, type SystemFunction, systemFunction } from './system-function.ts';

const RESPONDERS = 'U RQ NRQ TQ CQ Ry Rt CRy CRt';
const CALLER_INFO = 'U RQ NRQ CQ Ry Rt CRy CRt C CC F';
const encoder = new TextEncoder();

function requireResponse(context: MessageContext, name: string): void {
  if (!context.canRespond) {
    throw replicaErrors.contractViolation(context.canister.id, `ic0.${name}: the call is already replied`);
  }
}

function requireRoom(context: MessageContext, name: string, size: number, advice: string): void {
  if (size > context.maxReplyBytes) {
    throw replicaErrors.userViolation(
      context.canister.id,
      `ic0.${name}: application payload size (${size}) cannot be larger than ${context.maxReplyBytes}.`,
      advice,
      `${name}-payload-too-large`,
    );
  }
}

/** Ends the call: the cycles nobody accepted go back with the answer. */
function respond(context: MessageContext, response: (refund: bigint) => Response): void {
  context.response = response(context.cyclesAvailable);
  context.cyclesAvailable = 0n;
  context.canRespond = false;
}

function rejectMessage(api: Invocation): Uint8Array {
  const { context } = api;
  if (context.rejectMessage === undefined) {
    throw replicaErrors.contractViolation(
      context.canister.id,
      'ic0.msg_reject_msg: there is no reject message',
    );
  }
  return encoder.encode(context.rejectMessage);
}

const NOTHING = new Uint8Array(0);

/** Reading the message at hand and answering it. */
export const messageFunctions: readonly SystemFunction[] = [
  ...blobFunctions('msg_arg_data', 'payload', 'I U RQ NRQ TQ CQ Ry CRy F', (api) => api.context.arg),
  ...blobFunctions('msg_caller', 'id', '*', (api) => api.context.caller),
  ...blobFunctions(
    'msg_caller_info_data',
    'data',
    CALLER_INFO,
    (api) => api.context.callerInfo?.data ?? NOTHING,
  ),
  ...blobFunctions(
    'msg_caller_info_signer',
    'signer',
    CALLER_INFO,
    (api) => api.context.callerInfo?.signer ?? NOTHING,
  ),
  systemFunction(
    'msg_reject_code',
    { params: [], result: 'i32', from: 'Ry Rt CRy CRt C', charge: 500 },
    (api) => api.context.rejectCode,
  ),
  ...blobFunctions('msg_reject_msg', 'msg', 'Rt CRt', rejectMessage),
  systemFunction(
    'msg_deadline',
    { params: [], result: 'i64', from: 'U RQ NRQ TQ CQ Ry Rt CRy CRt', charge: 500 },
    (api) => api.context.deadlineNanos,
  ),
  systemFunction(
    'msg_reply_data_append',
    { params: ['ptr', 'ptr'], from: RESPONDERS, charge: 500, sizes: [1], perByte: PER_BYTE_SENT },
    (api, pointer, size) => {
      const { context } = api;
      requireResponse(context, 'msg_reply_data_append');
      requireRoom(
        context,
        'msg_reply_data_append',
        context.replyBytes + size,
        'Consider checking the response size and returning an error if it is too long.',
      );
      requireInHeap(api, 'msg.reply', pointer, size);
      if (size > 0) context.replyParts.push(api.read(pointer, size));
      context.replyBytes += size;
    },
  ),
  systemFunction('msg_reply', { params: [], from: RESPONDERS, charge: 500 }, ({ context }) => {
    requireResponse(context, 'msg_reply');
    const data = joinedBytes(context.replyParts);
    respond(context, (refund) => ({ kind: 'reply', data, refund }));
  }),
  systemFunction(
    'msg_reject',
    { params: ['ptr', 'ptr'], from: RESPONDERS, charge: 500, sizes: [1], perByte: PER_BYTE_SENT },
    (api, pointer, size) => {
      requireResponse(api.context, 'msg_reject');
      requireRoom(api.context, 'msg_reject', size, 'Try truncating the error messages that are too long.');
      requireInHeap(api, 'ic0.msg_reject', pointer, size);
      const message = readText(api, pointer, size, 'ic0.msg_reject: message');
      respond(api.context, (refund) => ({ kind: 'reject', message, refund }));
    },
  ),
  ...blobFunctions('msg_method_name', 'payload', 'F', (api) => encoder.encode(api.context.method)),
  systemFunction('accept_message', { params: [], from: 'F', charge: 500 }, ({ context }) => {
    if (context.messageAccepted) {
      throw replicaErrors.contractViolation(
        context.canister.id,
        'ic0.accept_message: the function was already called.',
      );
    }
    context.messageAccepted = true;
  }),
];

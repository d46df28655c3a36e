import { cyclesOf } from '../cycles/amount.ts';
import { replicaErrors } from '@cannery/ic/errors';
import {
  MAX_CALL_BYTES,
  MAX_CALL_TIMEOUT_SECONDS,
  MAX_METHOD_NAME_BYTES,
  MAX_OUTSTANDING_CALLS_PER_CALLEE,
} from '@cannery/ic/limits';
import type { CallPrepayment } from '../state/call-context.ts';
import { idKey, idText } from '../state/canister-id.ts';
import { readPrincipal, requireInHeap } from './blob.ts';
import { isReplicated } from './entry-point.ts';
import type { MessageContext, OutgoingCall } from './message-context.ts';
import { type Invocation, PER_BYTE_SENT, type SystemFunction, systemFunction } from './system-function.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const CALLERS = 'U CQ Ry Rt CRy CRt T';
const PAYERS = 'U Ry Rt T';
/** `call_perform`: the call could not be sent (SYS_TRANSIENT in the code of the replica). */
const NOT_PERFORMED = 2;

function violation(context: MessageContext, text: string): Error {
  return replicaErrors.contractViolation(context.canister.id, text);
}

function underConstruction(context: MessageContext, name: string): OutgoingCall {
  if (context.call) return context.call;
  throw violation(context, `ic0.${name} called when no call is under construction.`);
}

/** Gives the cycles of a call that was never performed back to the staged balance. */
export function abandonCall(context: MessageContext): void {
  if (!context.call) return;
  context.balance += context.call.cycles;
  context.call = undefined;
}

function addCycles(api: Invocation, name: string, amount: bigint): void {
  const { context } = api;
  const call = underConstruction(context, name);
  const liquid = context.account.liquid(context.balance, api.grownBytes());
  if (amount > liquid) {
    const { id } = context.canister;
    throw replicaErrors.notEnoughCyclesForCall(id, idText(id), amount - liquid);
  }
  context.balance -= amount;
  call.cycles += amount;
}

const NOTHING_PREPAID: CallPrepayment = { transmission: 0n, execution: 0n };

/** Takes what the call and its response may cost from the balance; false when that would freeze the canister. */
function prepay(api: Invocation, call: OutgoingCall): boolean {
  const { context } = api;
  if (!isReplicated(context.entry)) return true;
  const { account } = context;
  const bytes = BigInt(call.methodBytes + call.dataBytes);
  const transmission = account.fees.callTransmission(bytes);
  const execution = account.fees.execution(account.callbackLimit, api.memory64);
  if (transmission + execution > account.liquid(context.balance, api.grownBytes())) return false;
  context.balance -= transmission + execution;
  call.prepaid = { transmission, execution };
  return true;
}

/** Assembling and sending calls to other canisters. */
export const callFunctions: readonly SystemFunction[] = [
  systemFunction(
    'call_new',
    {
      params: ['ptr', 'ptr', 'ptr', 'ptr', 'word', 'word', 'word', 'word'],
      from: CALLERS,
      charge: 1_500,
      sizes: [1, 3],
    },
    (api, calleeAt, calleeSize, nameAt, nameSize, replyIndex, replyEnv, rejectIndex, rejectEnv) => {
      const { context } = api;
      abandonCall(context);
      if (nameSize > MAX_METHOD_NAME_BYTES) {
        throw replicaErrors.userViolation(
          context.canister.id,
          `Size of method_name ${nameSize} exceeds the allowed limit of ${MAX_METHOD_NAME_BYTES}.`,
        );
      }
      requireInHeap(api, 'ic0.call_new method_name', nameAt, nameSize);
      const method = decoder.decode(api.read(nameAt, nameSize));
      context.call = {
        callee: readPrincipal(api, 'ic0.call_new callee_src', calleeAt, calleeSize),
        method,
        methodBytes: Buffer.byteLength(method),
        onReply: { index: replyIndex, environment: replyEnv },
        onReject: { index: rejectIndex, environment: rejectEnv },
        onCleanup: undefined,
        data: [],
        dataBytes: 0,
        cycles: 0n,
        prepaid: NOTHING_PREPAID,
        timeoutSeconds: undefined,
      };
    },
  ),
  systemFunction(
    'call_on_cleanup',
    { params: ['word', 'word'], from: CALLERS, charge: 500 },
    ({ context }, index, environment) => {
      const call = underConstruction(context, 'call_on_cleanup');
      if (call.onCleanup)
        throw violation(
          context,
          'ic0.call_on_cleanup can be called at most once between `ic0.call_new` and `ic0.call_perform`',
        );
      call.onCleanup = { index, environment };
    },
  ),
  systemFunction(
    'call_data_append',
    { params: ['ptr', 'ptr'], from: CALLERS, charge: 500, sizes: [1], perByte: PER_BYTE_SENT },
    (api, pointer, size) => {
      const call = underConstruction(api.context, 'call_data_append');
      const total = call.methodBytes + call.dataBytes + size;
      if (total > MAX_CALL_BYTES) {
        throw replicaErrors.userViolation(
          api.context.canister.id,
          `Request to ${idText(call.callee)}:${call.method} has a payload size of ${total}, which exceeds the allowed limit of ${MAX_CALL_BYTES}.`,
          'Check the canister for errors or redesign the target API to allow shorter messages',
          'canister-made-a-call-with-too-large-payload',
        );
      }
      requireInHeap(api, 'ic0.call_data_append', pointer, size);
      if (size > 0) call.data.push(api.read(pointer, size));
      call.dataBytes += size;
    },
  ),
  systemFunction(
    'call_with_best_effort_response',
    { params: ['i32'], from: CALLERS, charge: 500 },
    ({ context }, seconds) => {
      const call = underConstruction(context, 'call_with_best_effort_response');
      if (call.timeoutSeconds !== undefined) {
        throw violation(
          context,
          'ic0_call_with_best_effort_response failed because a timeout is already set.',
        );
      }
      call.timeoutSeconds = Math.min(seconds, MAX_CALL_TIMEOUT_SECONDS);
    },
  ),
  systemFunction(
    'call_cycles_add128',
    { params: ['i64', 'i64'], from: PAYERS, charge: 500 },
    (api, high, low) => addCycles(api, 'call_cycles_add128', cyclesOf(high, low)),
  ),
  systemFunction(
    'call_cycles_add',
    { params: ['i64'], from: PAYERS, charge: 500, memory32Only: true },
    (api, amount) => addCycles(api, 'call_cycles_add', amount),
  ),
  systemFunction('call_perform', { params: [], result: 'i32', from: CALLERS, charge: 5_000 }, (api) => {
    const { context } = api;
    const call = underConstruction(context, 'call_perform');
    const callee = idKey(call.callee);
    const staged = context.callsTo.get(callee) ?? 0;
    if (context.outstandingTo(callee) + staged >= MAX_OUTSTANDING_CALLS_PER_CALLEE || !prepay(api, call)) {
      abandonCall(context);
      return NOT_PERFORMED;
    }
    context.calls.push(call);
    context.callsTo.set(callee, staged + 1);
    context.call = undefined;
    return 0;
  }),
];

import { type ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { MAX_CROSS_SUBNET_CALL_BYTES } from '@cannery/ic/limits';
import type { WorkingContext } from '../state/call-context.ts';
import type { Canister } from '../state/canister.ts';
import { idKey, isCanisterId, MANAGEMENT_KEY } from '../state/canister-id.ts';
import { areApart } from '../state/id-range.ts';
import type { RequestMessage } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import { joinedBytes } from '../system-api/blob.ts';
import type { OutgoingCall } from '../system-api/message-context.ts';
import type { Environment } from './environment.ts';
import { rejectionOutcome } from './respond.ts';

const NANOS_PER_SECOND = 1_000_000_000n;

/** Puts a performed call on its way; one that cannot be delivered comes back as a reject response. */
export function send(
  env: Environment,
  tx: Transaction,
  sender: Canister,
  context: WorkingContext,
  call: OutgoingCall,
): void {
  const record = tx.edit(sender);
  const id = record.nextCallback;
  record.nextCallback = id + 1;
  context.outstanding += 1;
  const deadline =
    call.timeoutSeconds === undefined ? 0n : tx.timeNanos + BigInt(call.timeoutSeconds) * NANOS_PER_SECOND;
  tx.addCallback(sender, {
    id,
    context: context.id,
    callee: call.callee,
    onReply: call.onReply,
    onReject: call.onReject,
    ...(call.onCleanup && { onCleanup: call.onCleanup }),
    cyclesSent: call.cycles,
    prepaid: call.prepaid,
    deadline,
  });
  const request: RequestMessage = {
    kind: 'request',
    origin: { kind: 'canister', canister: sender.key, callback: id },
    caller: sender.id,
    method: call.method,
    arg: joinedBytes(call.data),
    cycles: call.cycles,
    deadline,
    callerVersion: sender.record.version,
  };
  const refusal = undeliverable(env, tx, sender, call);
  if (!refusal) {
    tx.enqueue(idKey(call.callee), request);
    return;
  }
  tx.enqueue(sender.key, {
    kind: 'response',
    callback: id,
    outcome: rejectionOutcome(refusal),
    refund: call.cycles,
  });
}

function undeliverable(
  { idRanges }: Environment,
  tx: Transaction,
  sender: Canister,
  call: OutgoingCall,
): ReplicaError | undefined {
  const key = idKey(call.callee);
  if (key === MANAGEMENT_KEY || key === sender.key) return undefined;
  if (!isCanisterId(call.callee)) return replicaErrors.noRoute(call.callee);
  const bytes = call.methodBytes + call.dataBytes;
  if (bytes > MAX_CROSS_SUBNET_CALL_BYTES && areApart(idRanges, sender.id, call.callee))
    return replicaErrors.tooLargeForOtherSubnet(sender.id, bytes, MAX_CROSS_SUBNET_CALL_BYTES);
  const callee = tx.state.canisters.get(key);
  if (!callee) return replicaErrors.canisterNotFound(call.callee);
  const { status, settings } = callee.record;
  if (status === 'stopped') return replicaErrors.stopped(callee.id);
  if (status === 'stopping') return replicaErrors.calleeStopping(callee.id);
  if (call.cycles < settings.minimumIncomingCanisterCallCycles) {
    return replicaErrors.tooFewCycles(callee.id, settings.minimumIncomingCanisterCallCycles, call.cycles);
  }
  return undefined;
}

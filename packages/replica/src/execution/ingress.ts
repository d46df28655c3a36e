import { replicaErrors } from '@cannery/ic/errors';
import type { IngressMessage } from '../messages.ts';
import type { Canister } from '../state/canister.ts';
import type { RequestMessage } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import { messageContext } from '../system-api/message-context.ts';
import type { Environment } from './environment.ts';
import { accountOf, standingAccount } from './spending.ts';

/**
 * Longest argument of an `update_settings` that is paid for after its settings hold, so that a freezing threshold set
 * too high can be lowered again (dfinity/ic, `MAX_DELAYED_INGRESS_COST_PAYLOAD_SIZE`).
 */
const MAX_DELAYED_BYTES = 366;

/**
 * Whether a management message is paid for after it was carried out. Besides `update_settings`, the replica's rule,
 * that is `provisional_top_up_canister`: without it a frozen canister of a local network could never be revived.
 */
export function paysLater(method: string, arg: Uint8Array): boolean {
  return (
    method === 'provisional_top_up_canister' ||
    (method === 'update_settings' && arg.length <= MAX_DELAYED_BYTES)
  );
}

/** Throws `IC0207` when the canister cannot pay for taking in the message. */
export function requireIngressFee(env: Environment, payer: Canister, message: IngressMessage): void {
  const { account, balance } = standingAccount(env, payer, env.clock.now());
  const refusal = account.refusal(balance, env.fees.ingress(message.bytes));
  if (refusal) throw refusal;
}

/**
 * Charges the canister for a message that is taken in. Its rent may come later: the fee was checked against what is left
 * after it.
 */
export function chargeIngress(env: Environment, tx: Transaction, payer: Canister, bytes: number): void {
  const fee = env.fees.ingress(bytes);
  take(tx, payer, fee < payer.record.cycles ? fee : payer.record.cycles);
}

/** Charges the target of a management message that `paysLater`; it costs nothing where the cycles do not suffice. */
export function chargeLater(
  env: Environment,
  tx: Transaction,
  payer: Canister,
  request: Pick<RequestMessage, 'method' | 'arg'>,
): void {
  const account = accountOf(env, payer);
  const fee = env.fees.ingress(request.method.length + request.arg.length);
  if (!account.refusal(payer.record.cycles, fee)) take(tx, payer, fee);
}

function take(tx: Transaction, payer: Canister, fee: bigint): void {
  const record = tx.edit(payer);
  record.cycles -= fee;
  record.consumed.ingressInduction += fee;
  tx.saveProgress(payer);
}

const EXPORT = 'canister_inspect_message';

/** Asks the canister whether it takes the message; throws `ReplicaError` when it does not. */
export function inspectMessage(env: Environment, canister: Canister, message: IngressMessage): void {
  const code = env.codes.get(canister);
  if (!code.instance.hasExport(EXPORT)) return;
  const now = env.clock.now();
  const { account, balance } = standingAccount(env, canister, now);
  const result = env.runner.run(
    code,
    messageContext({
      entry: 'F',
      subnet: env.subnet,
      canister: canister.record,
      account,
      balance,
      timeNanos: now,
      instructionLimit: env.limits.inspect,
      caller: message.sender,
      callerInfo: message.callerInfo,
      arg: message.arg,
      method: message.method,
      maxReplyBytes: 0,
    }),
    () => code.instance.call(EXPORT),
  );
  if (result.error) throw result.error;
  code.rollback();
  if (!result.context.messageAccepted) throw replicaErrors.messageRejected(canister.id);
}

import { replicaErrors } from '../errors.ts';
import type { IngressMessage } from '../messages.ts';
import type { Canister } from '../state/canister.ts';
import { messageContext } from '../system-api/message-context.ts';
import type { Environment } from './environment.ts';
import { standingAccount } from './spending.ts';

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

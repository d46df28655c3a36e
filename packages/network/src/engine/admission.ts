import { replicaErrors } from '../errors.ts';
import type { Environment } from '../execution/environment.ts';
import { inspectMessage } from '../execution/inspect-message.ts';
import { admitManagement } from '../management/dispatch.ts';
import type { IngressMessage } from '../messages.ts';

/** Throws `ReplicaError` when an ingress message must not enter a queue. */
export function admit(env: Environment, message: IngressMessage): void {
  if (message.canisterId.length === 0) {
    admitManagement(env, message);
    return;
  }
  const canister = env.state.find(message.canisterId);
  if (!canister) throw replicaErrors.canisterNotFound(message.canisterId);
  const { status, code } = canister.record;
  if (status === 'stopped') throw replicaErrors.stopped(canister.id);
  if (status === 'stopping') throw replicaErrors.stopping(canister.id);
  if (!code) throw replicaErrors.noWasmModule(canister.id);
  inspectMessage(env, canister, message);
}

import { Canister } from '../../state/canister.ts';
import type { CanisterImage } from './heavy-protocol.ts';

/** What another thread gets of a canister. */
export function imageOf(canister: Canister): CanisterImage {
  const { record, chunks, snapshots, metadata, history, log } = canister;
  return {
    record,
    chunks,
    snapshots,
    metadata,
    history,
    log,
    callContexts: [...canister.callContexts.values()],
    callbacks: [...canister.callbacks.values()],
  };
}

export function canisterFrom(image: CanisterImage): Canister {
  const { record, callContexts, callbacks, ...rest } = image;
  const canister = Object.assign(new Canister(record), rest);
  for (const context of callContexts) canister.callContexts.set(context.id, context);
  for (const callback of callbacks) canister.callbacks.set(callback.id, callback);
  return canister;
}

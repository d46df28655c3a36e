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
  return new Canister(record, {
    ...rest,
    callContexts: new Map(callContexts.map((context) => [context.id, context])),
    callbacks: new Map(callbacks.map((callback) => [callback.id, callback])),
  });
}

import { MAX_CYCLES } from '../../cycles/amount.ts';
import { replicaErrors } from '@cannery/ic/errors';
import { canisterOf, managementMethod } from '../method/method.ts';

/** An amount given out of nothing, as far as there can be so much; throws `invalidPayload`. */
export function providedCycles(amount: bigint): bigint {
  if (amount > MAX_CYCLES)
    throw replicaErrors.invalidPayload('The amount of cycles does not fit in 128 bits.');
  return amount;
}

export const depositCycles = managementMethod({
  name: 'deposit_cycles',
  callers: { kind: 'canisters' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const canister = canisterOf(call.env, arg.canister_id);
    call.tx.edit(canister).cycles += call.cycles;
    call.cycles = 0n;
    call.tx.saveCanister(canister);
  },
});

export const provisionalTopUpCanister = managementMethod({
  name: 'provisional_top_up_canister',
  callers: { kind: 'provisional' },
  target: (arg) => arg.canister_id,
  run({ env, tx }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    const amount = providedCycles(arg.amount);
    tx.edit(canister).cycles += amount;
    tx.saveCanister(canister);
  },
});

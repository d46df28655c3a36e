import { DEFAULT_CANISTER_NAME } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import type { EnvironmentVariable } from '../../ic/ic-client.ts';
import { hold } from '../account/holds.ts';
import { carryOutIntent } from './carry-out-intent.ts';
import { insertIntent } from './intents.ts';

/**
 * Creates a canister, paid from the account; it starts with the cycles that were paid.
 * @throws AppError insufficient_balance, network_rejected or network_unavailable
 */
export async function createCanister(
  ctx: AppContext,
  user: Actor,
  input: { name?: string; environmentVariables?: readonly EnvironmentVariable[] },
): Promise<{ id: string }> {
  const cost = ctx.config.canisterCreateCost;
  const call = await ctx.ic.signCreate({
    cyclesAmount: cost,
    environmentVariables: input.environmentVariables ?? [],
  });
  const intent = await ctx.transact(async (tx) => {
    const held = await hold(tx, { userId: user.id, amount: cost, purpose: 'CANISTER_CREATE' });
    return insertIntent(tx, {
      kind: 'create',
      userId: user.id,
      holdId: held.id,
      canisterId: null,
      canisterName: nameOf(input.name),
      cycles: cost,
      cyclesBefore: null,
      call,
    });
  });
  return { id: await carryOutIntent(ctx, intent) };
}

function nameOf(given: string | undefined): string {
  const name = (given ?? '').trim();
  return name === '' ? DEFAULT_CANISTER_NAME : name;
}

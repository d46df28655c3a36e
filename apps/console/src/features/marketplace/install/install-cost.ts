import { amountToCycles, trimAmount } from '@cannery/contract';
import { cyclesInT, readCycles } from '../../../lib/text/cycles.ts';

/** What an installation that did not come to its end has paid besides the creation of its canister. */
export interface PaidExtra {
  /** T that the canister has been topped up with. */
  readonly extra: number;
}

/** T to top up with, so that a canister has got `extra` in all; what it has got beyond that stays. */
export function stillToPay(extra: number, paid: PaidExtra): number {
  return Math.max(0, trimAmount(extra - paid.extra));
}

/**
 * What is paid, as a sentence; undefined while the service does not say what a canister costs.
 * @param extra T beyond what the creation costs
 * @param paid of an earlier attempt, which has created the canister
 */
export function costText(
  creation: string | undefined,
  extra: number,
  paid: PaidExtra | undefined,
): string | undefined {
  const cost = readCycles(creation);
  if (cost === undefined) return undefined;
  if (paid !== undefined) return paidText(cost, extra, paid);
  const more = amountToCycles(extra);
  if (more === 0n) return `Costs ${cyclesInT(String(cost))} of your cycle balance, which the canister gets.`;
  const parts = `${cyclesInT(String(cost))} + ${cyclesInT(String(more))}`;
  return `Costs ${cyclesInT(String(cost + more))} of your cycle balance (${parts}), which the canister gets.`;
}

function paidText(cost: bigint, extra: number, paid: PaidExtra): string {
  const before = `${cyclesInT(String(cost + amountToCycles(paid.extra)))} of your cycle balance is paid already`;
  const more = amountToCycles(stillToPay(extra, paid));
  return more === 0n
    ? `Costs nothing more: ${before}, which the canister has got.`
    : `Costs ${cyclesInT(String(more))} more: ${before}, which the canister has got.`;
}

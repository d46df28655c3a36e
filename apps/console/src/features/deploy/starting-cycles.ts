import {
  type Deploy,
  formatTrillions,
  type ProjectPlanAnswer,
  STARTING_MOST_T,
  type StartingCycles,
} from '@cannery/contract';

const CYCLES_PER_CENT = 10_000_000_000n;
const AMOUNT = /^\d{1,4}(?:\.\d{1,2})?$/;

/** What is wrong with an amount in T. @param creation what creating a canister costs at least, exact cycles */
export function amountProblem(text: string, creation: string): string | undefined {
  const amount = text.trim();
  if (amount === '') return undefined;
  const fits =
    AMOUNT.test(amount) && cyclesOf(amount) >= BigInt(creation) && Number(amount) <= STARTING_MOST_T;
  return fits ? undefined : `Between ${formatTrillions(BigInt(creation))} and ${STARTING_MOST_T} T.`;
}

/** Exact cycles of an amount in T with at most two decimals. */
function cyclesOf(amount: string): bigint {
  const [whole = '0', cents = ''] = amount.split('.');
  return (BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'))) * CYCLES_PER_CENT;
}

/** Amounts by canister as the calls take them; empty and unreadable ones are left out. */
export function givenAmounts(amounts: Readonly<Record<string, string>>): StartingCycles[] {
  return Object.entries(amounts).flatMap(([name, text]) => {
    const canister = name.trim();
    const amount = text.trim();
    return canister === '' || !AMOUNT.test(amount) ? [] : [{ canister, amount: Number(amount) }];
  });
}

/** What a deploy's settings say, by canister. */
export function savedAmounts({ starting_cycles: saved }: Deploy): Record<string, string> {
  return Object.fromEntries(
    (saved ?? []).flatMap(({ canister, amount }) =>
      canister === null || amount === null ? [] : [[canister, String(amount)]],
    ),
  );
}

/** What a plan comes to. */
export interface PlanSum {
  /** Names of canisters that are created. */
  readonly created: readonly string[];
  readonly cost: bigint;
  readonly isPayable: boolean;
}

/** @param amounts what is to count in place of the plan's own costs, in T */
export function planSum(plan: ProjectPlanAnswer, amounts: Readonly<Record<string, string>> = {}): PlanSum {
  const created = plan.canisters.filter((one) => BigInt(one.cycles) > 0n);
  const cost = created.reduce((sum, { name, cycles }) => {
    const given = amounts[name]?.trim() ?? '';
    return sum + (AMOUNT.test(given) ? cyclesOf(given) : BigInt(cycles));
  }, 0n);
  return { created: created.map(({ name }) => name), cost, isPayable: cost <= BigInt(plan.balance) };
}

/** Such as '3 canisters will be created, for 6 T of your 98 T'. */
export function sumText({ created, cost }: PlanSum, { balance }: ProjectPlanAnswer): string {
  const what = created.length === 1 ? '1 canister' : `${created.length} canisters`;
  return `${what} will be created, for ${formatTrillions(cost)} of your ${formatTrillions(BigInt(balance))}`;
}

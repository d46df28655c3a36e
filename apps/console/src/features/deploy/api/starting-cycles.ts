import {
  cutDecimals,
  type Deploy,
  decimalText,
  formatTrillions,
  spendableTrillions,
  inUnits,
  type ProjectPlanAnswer,
  readDecimal,
  STARTING_MOST_T,
  type StartingCycles,
  twoReadings,
} from '@cannery/contract';

/** What is typed for each canister, in T by its name. A map, since a project may name a canister `constructor`. */
export type StartingAmounts = ReadonlyMap<string, string>;

const CENT = 2;
const T = 10n ** 12n;

/** An amount in T with at most two decimals as the call takes it, and exact; undefined for what is none. */
function readAmount(text: string): { readonly amount: number; readonly cycles: bigint } | undefined {
  const reading = readDecimal(text);
  if (!('decimal' in reading)) return undefined;
  const { decimal } = reading;
  const cut = cutDecimals(decimal, CENT);
  const [cycles, typed] = [inUnits(cut, T), inUnits(decimal, T)];
  if (cycles === undefined || cycles !== typed || cycles > BigInt(STARTING_MOST_T) * T) return undefined;
  return { amount: Number(decimalText(cut)), cycles };
}

/** What is wrong with an amount in T. @param creation what creating a canister costs at least, exact cycles */
export function amountProblem(text: string, creation: string): string | undefined {
  if (text.trim() === '') return undefined;
  const read = readAmount(text);
  if (read !== undefined && read.cycles >= BigInt(creation)) return undefined;
  const doubt = twoReadings(text);
  return doubt ?? `Between ${formatTrillions(BigInt(creation))} and ${STARTING_MOST_T} T.`;
}

/** Amounts by canister as the calls take them; empty and unreadable ones are left out. */
export function givenAmounts(amounts: StartingAmounts): StartingCycles[] {
  return [...amounts].flatMap(([name, text]) => {
    const canister = name.trim();
    const read = readAmount(text);
    return canister === '' || read === undefined ? [] : [{ canister, amount: read.amount }];
  });
}

/** What a deploy's settings say, by canister. */
export function savedAmounts({ starting_cycles: saved }: Deploy): StartingAmounts {
  return new Map(
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

const NO_AMOUNTS: StartingAmounts = new Map();

/** @param amounts what is to count in place of the plan's own costs, in T */
export function planSum(plan: ProjectPlanAnswer, amounts = NO_AMOUNTS): PlanSum {
  const created = plan.canisters.filter((one) => BigInt(one.cycles) > 0n);
  const cost = created.reduce((sum, { name, cycles }) => {
    return sum + (readAmount(amounts.get(name) ?? '')?.cycles ?? BigInt(cycles));
  }, 0n);
  return { created: created.map(({ name }) => name), cost, isPayable: cost <= BigInt(plan.balance) };
}

/**
 * What the fields of a plan say, as a call takes it; 'wrong' where one of them is no amount, so that nothing else is paid.
 */
export function amountsOfPlan(plan: ProjectPlanAnswer, amounts: StartingAmounts): StartingCycles[] | 'wrong' {
  const texts = planSum(plan).created.map((name) => [name, amounts.get(name) ?? ''] as const);
  const isWrong = texts.some(([, text]) => amountProblem(text, plan.creation) !== undefined);
  return isWrong ? 'wrong' : givenAmounts(new Map(texts));
}

/** Such as '3 canisters will be created, for 6 T of your 98 T'. */
export function sumText({ created, cost }: PlanSum, { balance }: ProjectPlanAnswer): string {
  const what = created.length === 1 ? '1 canister' : `${created.length} canisters`;
  return `${what} will be created, for ${formatTrillions(cost)} of your ${spendableTrillions(BigInt(balance))}`;
}

import type { WireCosts } from '@cannery/candid/wire-message';
import type { Budget } from '@cannery/ic/budget';

/** Charges the reading of a canister's answer to its budget; throws `BudgetError`. */
export class AnswerCosts implements WireCosts {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  bytes(count: number): void {
    this.#budget.spendBytes(count);
  }

  types(count: number): void {
    this.#budget.spendValues(count);
  }

  values(count: number): void {
    this.#budget.spendValues(count);
  }

  /** Items of one length are passed in one step, all others are known to be too many before the first is. */
  items(count: number, _type: number, bytesOfEach = 0): void {
    if (bytesOfEach === 0) this.#budget.spendValues(count);
  }

  /** The gateway passes over numbers, in time of their bytes, and decodes none. */
  number(): void {}

  enter(): void {
    this.#budget.enter();
  }

  leave(): void {
    this.#budget.leave();
  }
}

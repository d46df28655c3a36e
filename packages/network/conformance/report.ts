import { KNOWN_DIFFERENCES, type KnownDifference } from './known-differences.ts';
import type { TestResult } from './run-test.ts';
import type { SuiteTest } from './suite.ts';

/** Share of the tests that can run that has to pass. */
const REQUIRED_SHARE = 0.95;
const DIFF_LINES = 40;

/** Prints results as they come, and at the end what they amount to. */
export class Report {
  readonly #verbose: boolean;
  readonly #skipped = new Map<string, number>();
  readonly #seenDifferences = new Set<KnownDifference>();
  #passed = 0;
  #known = 0;
  #unknown = 0;

  constructor(verbose: boolean) {
    this.#verbose = verbose;
  }

  add(test: SuiteTest, result: TestResult): void {
    const title = `${test.name} (${test.persistence})`;
    switch (result.status) {
      case 'passed':
        this.#passed += 1;
        console.log(`pass     ${title}`);
        return;
      case 'skipped':
        this.#skipped.set(result.reason, (this.#skipped.get(result.reason) ?? 0) + 1);
        console.log(`skipped  ${title}: ${result.reason}`);
        return;
      case 'differs':
        this.#addDifference(test, title, result.diff);
    }
  }

  /**
   * Prints the summary; false when too few tests passed or a difference is not listed. `whole`: every test was tried, so
   * that a known difference that did not show is worth a word.
   */
  finish(whole: boolean): boolean {
    const ran = this.#passed + this.#known + this.#unknown;
    const share = ran === 0 ? 1 : this.#passed / ran;
    console.log('');
    for (const [reason, count] of this.#skipped) console.log(`skipped ${count}: ${reason}`);
    const stale = whole ? KNOWN_DIFFERENCES.filter((known) => !this.#seenDifferences.has(known)) : [];
    for (const { test } of stale) console.log(`listed as a known difference, but it did not show: ${test}`);
    console.log(
      `${this.#passed} of ${ran} passed (${(share * 100).toFixed(1)} %), ${this.#known} known differences, ` +
        `${this.#unknown} unlisted, ${[...this.#skipped.values()].reduce((sum, count) => sum + count, 0)} skipped`,
    );
    return share >= REQUIRED_SHARE && this.#unknown === 0;
  }

  #addDifference(test: SuiteTest, title: string, diff: readonly string[]): void {
    const known = KNOWN_DIFFERENCES.find(
      (entry) => entry.test === test.name && (entry.persistence ?? test.persistence) === test.persistence,
    );
    if (known) {
      this.#known += 1;
      this.#seenDifferences.add(known);
      console.log(`differs  ${title}, as known: ${known.reason}`);
      if (!this.#verbose) return;
    } else {
      this.#unknown += 1;
      console.log(`DIFFERS  ${title}`);
    }
    for (const line of diff.slice(0, DIFF_LINES)) console.log(`    ${line.slice(0, 400)}`);
    if (diff.length > DIFF_LINES) console.log(`    ... ${diff.length - DIFF_LINES} more lines`);
  }
}

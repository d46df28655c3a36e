import type { Persistence } from './compiler-flags.ts';
import type { TestResult } from './run-test.ts';
import type { SuiteTest } from './suite.ts';

/** A test whose output differs from the expected one for a reason that is not a fault of this network. */
interface KnownDifference {
  /** File name of the test in `test/run-drun`. */
  readonly test: string;
  /** Both kinds where absent. */
  readonly persistence?: Persistence;
  readonly reason: string;
}

/** `ic0.msg_cycles_available` in the interface specification; the expected output still shows the cycles there. */
const CYCLES_AFTER_REPLY =
  'a one-way function of Motoko replies before its body runs, and after a reply no cycles are available';
/** See `WITHOUT_EFFECT` in compiler-flags.ts. */
const TABLES_OF_REGIONS =
  'it prints how much stable memory there is, and npm motoko cannot set --stable-regions, which takes some for tables';

/** Every difference the runner accepts; one that no longer shows is reported, so that this list stays true. */
const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  { test: 'non-par.mo', reason: CYCLES_AFTER_REPLY },
  { test: 'par.mo', reason: CYCLES_AFTER_REPLY },
  { test: 'region0-rts-stats.mo', reason: TABLES_OF_REGIONS },
  { test: 'region0-stable-mem-max.mo', reason: TABLES_OF_REGIONS },
  { test: 'regions-pay-as-you-go.mo', reason: TABLES_OF_REGIONS },
  {
    test: 'selftail.mo',
    reason: 'it recurses 200,000 times to fill the stack, and the stack here has room for that',
  },
];

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

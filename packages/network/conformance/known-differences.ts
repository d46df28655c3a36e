import type { Persistence } from './compiler-flags.ts';

/** A test whose output differs from the expected one for a reason that is not a fault of this network. */
export interface KnownDifference {
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
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
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

import type { Persistence } from './compiler-flags.ts';

/** A test whose output differs from the expected one for a reason that is not a fault of this network. */
export interface KnownDifference {
  /** File name of the test in `test/run-drun`. */
  readonly test: string;
  /** Both kinds where absent. */
  readonly persistence?: Persistence;
  readonly reason: string;
}

/** `ic0.msg_cycles_available` in the interface specification; the replica shows the cycles until the message ends. */
const CYCLES_AFTER_REPLY =
  'a one-way function of Motoko replies before its body runs, and after a reply no cycles are available';

/** Every difference the runner accepts; one that no longer shows is reported, so that this list stays true. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  { test: 'non-par.mo', reason: CYCLES_AFTER_REPLY },
  { test: 'par.mo', reason: CYCLES_AFTER_REPLY },
];

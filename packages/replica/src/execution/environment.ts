import type { Clock } from '../clock.ts';
import type { Fees } from '../cycles/fees.ts';
import type { InstructionLimits } from '@cannery/ic/limits';
import type { Outcome } from '@cannery/ic/state-leaves';
import type { Randomness } from '../random.ts';
import type { IdRange } from '../state/id-range.ts';
import type { OutcallPolicy } from '../state/outcall.ts';
import type { ProvisionalPolicy } from '../state/provisional.ts';
import type { StateStore } from '../state/state-store.ts';
import type { SubnetState } from '../state/subnet-state.ts';
import type { SubnetInfo } from '../system-api/message-context.ts';
import type { CodeCache } from './run/code-cache.ts';
import type { Runner } from './run/run.ts';

/** A query of the management canister; `sender` is the canister that asks. */
export interface ManagementQuery {
  readonly sender: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
}

/** What every execution needs to know; one object for the life of the engine. */
export interface Environment {
  readonly state: SubnetState;
  readonly store: StateStore;
  readonly codes: CodeCache;
  readonly runner: Runner;
  readonly clock: Clock;
  readonly subnet: SubnetInfo;
  readonly limits: InstructionLimits;
  readonly fees: Fees;
  readonly httpOutcalls: OutcallPolicy;
  readonly provisional: ProvisionalPolicy;
  /** Where `raw_rand` and signatures get random bytes; unpredictable ones where not given. */
  readonly random?: Randomness;
  /** Ranges of the IDs of canisters, the first for all that belong to none; one range where not given. */
  readonly idRanges?: readonly IdRange[];
  /** Answers a call that a composite query makes to the management canister. */
  readonly managementQuery: (env: Environment, query: ManagementQuery) => Outcome;
  /** Memory all canisters use or have set aside, in bytes. */
  readonly memory: { readonly totalBytes: bigint };
}

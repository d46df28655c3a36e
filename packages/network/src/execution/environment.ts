import type { Clock } from '../clock.ts';
import type { InstructionLimits } from '../limits.ts';
import type { StateStore } from '../state/state-store.ts';
import type { SubnetState } from '../state/subnet-state.ts';
import type { SubnetInfo } from '../system-api/message-context.ts';
import type { CodeCache } from './code-cache.ts';

/** What every execution needs to know; one object for the life of the engine. */
export interface Environment {
  readonly state: SubnetState;
  readonly store: StateStore;
  readonly codes: CodeCache;
  readonly clock: Clock;
  readonly subnet: SubnetInfo;
  readonly limits: InstructionLimits;
}

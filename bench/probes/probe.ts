import type { Attack } from './attack.ts';
import type { World } from './world.ts';

/** Something that a stranger, a user or a canister sends, made to take as much of the product as it can. */
export interface Probe {
  readonly name: string;
  /** Whose port is attacked. */
  readonly at: 'server' | 'network';
  /** How long it goes on at most, in milliseconds; `PROBE_MILLIS` where absent. */
  readonly millis?: number;
  run(attack: Attack, world: World): Promise<void>;
}

export const PROBE_MILLIS = 3_000;

import { ABUSES } from './hostile/abuse.ts';
import type { Attack } from './hostile/attack.ts';
import { MALFORMED } from './hostile/malformed.ts';
import { OVERSIZED } from './hostile/oversized.ts';
import { RUNAWAYS } from './hostile/runaways.ts';

/** Every module that a canister's owner might install to harm others, by what it does. */
export const HOSTILE_MODULES: Readonly<Record<string, readonly Attack[]>> = {
  'code that does not end': RUNAWAYS,
  'too much of something': OVERSIZED,
  'what is no module, or uses what is forbidden': MALFORMED,
  'wrong use of the system API': ABUSES,
};

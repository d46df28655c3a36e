import { ABUSES } from './abuse.ts';
import type { Attack } from './attack.ts';
import { MALFORMED } from './malformed.ts';
import { OVERSIZED } from './oversized.ts';
import { RUNAWAYS } from './runaways.ts';

/** Every module that a canister's owner might install to harm others, by what it does. */
export const HOSTILE_MODULES: Readonly<Record<string, readonly Attack[]>> = {
  'code that does not end': RUNAWAYS,
  'too much of something': OVERSIZED,
  'what is no module, or uses what is forbidden': MALFORMED,
  'wrong use of the system API': ABUSES,
};

import { callFunctions } from './call-functions.ts';
import { costFunctions, cyclesFunctions } from './cycles-functions.ts';
import { environmentFunctions } from './environment-functions.ts';
import { identityFunctions } from './identity-functions.ts';
import { messageFunctions } from './message-functions.ts';
import { stableFunctions } from './stable-functions.ts';
import type { SystemFunction } from './system-function.ts';
import { systemFunctions } from './system-functions.ts';

/** Every function of the `ic0` module. Charges: dfinity/ic `rs/embedders/.../system_api_complexity.rs`. */
export const SYSTEM_API: readonly SystemFunction[] = [
  ...messageFunctions,
  ...cyclesFunctions,
  ...identityFunctions,
  ...callFunctions,
  ...stableFunctions,
  ...systemFunctions,
  ...environmentFunctions,
  ...costFunctions,
];

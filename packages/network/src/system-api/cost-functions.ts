import { cyclesBytes } from '../cycles/amount.ts';
import { costOfCall, costOfCreateCanister, costOfHttpRequest, costOfKeyUse } from '../cycles/cost-table.ts';
import { readText } from './blob.ts';
import { type SystemFunction, systemFunction } from './system-function.ts';

const ANYWHERE = '* s';
const INVALID_CURVE = 1;
const INVALID_KEY = 2;

/** A `cost_*` function of a key: `variants` is the number of curves or algorithms, counted from 0. */
function keyCost(name: string, variants: number): SystemFunction {
  return systemFunction(
    name,
    { params: ['ptr', 'ptr', 'i32', 'ptr'], result: 'i32', from: ANYWHERE, charge: 500 },
    (api, pointer, size, variant, destination) => {
      const keyName = readText(api, pointer, size, `ic0.${name}: key name`);
      if (variant >= variants) return INVALID_CURVE;
      const price = costOfKeyUse(keyName);
      if (price === undefined) return INVALID_KEY;
      api.write(destination, cyclesBytes(price));
      return 0;
    },
  );
}

/** Prices of what a canister may do. */
export const costFunctions: readonly SystemFunction[] = [
  systemFunction(
    'cost_call',
    { params: ['i64', 'i64', 'ptr'], from: ANYWHERE, charge: 500 },
    (api, methodBytes, payloadBytes, destination) =>
      api.write(
        destination,
        cyclesBytes(costOfCall(methodBytes, payloadBytes, api.context.instructionLimit, api.memory64)),
      ),
  ),
  systemFunction(
    'cost_create_canister',
    { params: ['ptr'], from: ANYWHERE, charge: 500 },
    (api, destination) => api.write(destination, cyclesBytes(costOfCreateCanister())),
  ),
  systemFunction(
    'cost_http_request',
    { params: ['i64', 'i64', 'ptr'], from: ANYWHERE, charge: 500 },
    (api, requestBytes, maxResponseBytes, destination) =>
      api.write(destination, cyclesBytes(costOfHttpRequest(requestBytes, maxResponseBytes))),
  ),
  keyCost('cost_sign_with_ecdsa', 1),
  keyCost('cost_sign_with_schnorr', 2),
  keyCost('cost_vetkd_derive_key', 1),
];

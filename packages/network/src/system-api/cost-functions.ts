import { cyclesBytes } from '../cycles/amount.ts';
import { costOfCall, costOfCreateCanister, costOfHttpRequest, costOfKeyUse } from '../cycles/cost-table.ts';
import { replicaErrors } from '../errors.ts';
import { WasmTrap } from '../wasm/trap.ts';
import { readText } from './blob.ts';
import { priceHttpOutcall } from './http-outcall-cost.ts';
import { type Invocation, type SystemFunction, systemFunction } from './system-function.ts';

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

/** Longest parameter of `cost_http_request_v2`, in bytes; a real one has about a hundred. */
const MAX_PARAMETER_BYTES = 4_096;
/** For decoding the parameter, which the host does. */
const DECODE_CHARGE = 20_000;

function outcallPrice(api: Invocation, pointer: number, size: number): bigint {
  api.charge(DECODE_CHARGE);
  try {
    if (size > MAX_PARAMETER_BYTES) throw new RangeError('it is too long');
    return priceHttpOutcall(api.read(pointer, size));
  } catch (error) {
    if (error instanceof WasmTrap) throw error;
    throw replicaErrors.contractViolation(
      api.context.canister.id,
      `ic0.cost_http_request_v2: failed to decode the parameters: ${String(error)}`,
    );
  }
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
  systemFunction(
    'cost_http_request_v2',
    { params: ['ptr', 'ptr', 'ptr'], from: ANYWHERE, charge: 500 },
    (api, pointer, size, destination) =>
      api.write(destination, cyclesBytes(outcallPrice(api, pointer, size))),
  ),
  keyCost('cost_sign_with_ecdsa', 1),
  keyCost('cost_sign_with_schnorr', 2),
  keyCost('cost_vetkd_derive_key', 1),
];

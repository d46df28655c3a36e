import { cyclesBytes, cyclesOf, fitsU64, least } from '../cycles/amount.ts';
import { replicaErrors } from '@cannery/ic/errors';
import { WasmTrap } from '@cannery/wasm/instance/trap';
import { readText } from './blob.ts';
import type { MessageContext } from './message-context.ts';
import { readOutcallParameter } from './outcall-parameter.ts';
import { type Invocation, type SystemFunction, systemFunction } from './system-function.ts';

const ANYWHERE = '* s';
const INVALID_CURVE = 1;
const INVALID_KEY = 2;

/** A `cost_*` function of a key: `variants` is the number of curves or algorithms, counted from 0. */
function keyCost(name: string, variants: number): SystemFunction {
  return systemFunction(
    name,
    { params: ['ptr', 'ptr', 'i32', 'ptr'], result: 'i32', from: ANYWHERE, charge: 500, sizes: [1] },
    (api, pointer, size, variant, destination) => {
      const keyName = readText(api, pointer, size, `ic0.${name}: key name`);
      if (variant >= variants) return INVALID_CURVE;
      const price = api.context.account.fees.keyUse(keyName);
      if (price === undefined) return INVALID_KEY;
      api.write(destination, cyclesBytes(price));
      return 0;
    },
  );
}

/** Longest parameter of `cost_http_request_v2`, in bytes; a real one has about a hundred. */
const MAX_PARAMETER_BYTES = 4_096;
function outcallPrice(api: Invocation, pointer: number, size: number): bigint {
  try {
    if (size > MAX_PARAMETER_BYTES) throw new RangeError('it is too long');
    const { usage, replication } = readOutcallParameter(api.read(pointer, size));
    return api.context.account.fees.httpOutcall(usage, replication);
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
    (api, methodBytes, payloadBytes, destination) => {
      const { fees, callbackLimit } = api.context.account;
      const price = fees.call(methodBytes + payloadBytes, callbackLimit, api.memory64);
      api.write(destination, cyclesBytes(price));
    },
  ),
  systemFunction(
    'cost_create_canister',
    { params: ['ptr'], from: ANYWHERE, charge: 500 },
    (api, destination) => api.write(destination, cyclesBytes(api.context.account.fees.canisterCreation())),
  ),
  systemFunction(
    'cost_http_request',
    { params: ['i64', 'i64', 'ptr'], from: ANYWHERE, charge: 500 },
    (api, requestBytes, maxResponseBytes, destination) =>
      api.write(
        destination,
        cyclesBytes(api.context.account.fees.httpRequest(requestBytes, maxResponseBytes)),
      ),
  ),
  systemFunction(
    'cost_http_request_v2',
    { params: ['ptr', 'ptr', 'ptr'], from: ANYWHERE, charge: 10_000 },
    (api, pointer, size, destination) =>
      api.write(destination, cyclesBytes(outcallPrice(api, pointer, size))),
  ),
  keyCost('cost_sign_with_ecdsa', 1),
  keyCost('cost_sign_with_schnorr', 2),
  keyCost('cost_vetkd_derive_key', 1),
];

const CALLED = 'U RQ Ry Rt';
const RESPONDED = 'Ry Rt';

function narrow(context: MessageContext, amount: bigint): bigint {
  if (fitsU64(amount)) return amount;
  throw replicaErrors.trapped(context.canister.id, 'cycles amount exceeds 64-bit representation');
}

/** The balance, which rent makes less while nothing happens. */
function toldBalance(context: MessageContext): bigint {
  context.isToldPassing = true;
  return context.balance;
}

function accept(context: MessageContext, wanted: bigint): bigint {
  const moved = least(wanted, context.cyclesAvailable);
  context.cyclesAvailable -= moved;
  context.balance += moved;
  return moved;
}

/** Cycles of the message at hand and of the canister. */
export const cyclesFunctions: readonly SystemFunction[] = [
  systemFunction(
    'msg_cycles_available128',
    { params: ['ptr'], from: CALLED, charge: 500 },
    (api, destination) => api.write(destination, cyclesBytes(api.context.cyclesAvailable)),
  ),
  systemFunction(
    'msg_cycles_refunded128',
    { params: ['ptr'], from: RESPONDED, charge: 500 },
    (api, destination) => api.write(destination, cyclesBytes(api.context.refunded)),
  ),
  systemFunction(
    'msg_cycles_accept128',
    { params: ['i64', 'i64', 'ptr'], from: CALLED, charge: 500 },
    (api, high, low, destination) =>
      api.write(destination, cyclesBytes(accept(api.context, cyclesOf(high, low)))),
  ),
  systemFunction(
    'cycles_burn128',
    { params: ['i64', 'i64', 'ptr'], from: 'I G U RQ Ry Rt C T', charge: 500 },
    (api, high, low, destination) => {
      const { context } = api;
      const burned = least(cyclesOf(high, low), context.account.liquid(context.balance, api.grownBytes()));
      context.balance -= burned;
      context.burned += burned;
      api.write(destination, cyclesBytes(burned));
    },
  ),
  systemFunction(
    'canister_cycle_balance128',
    { params: ['ptr'], from: '*', charge: 500 },
    (api, destination) => api.write(destination, cyclesBytes(toldBalance(api.context))),
  ),
  systemFunction(
    'canister_liquid_cycle_balance128',
    { params: ['ptr'], from: '*', charge: 500 },
    (api, destination) => {
      const { account } = api.context;
      const balance = toldBalance(api.context);
      api.write(destination, cyclesBytes(account.liquid(balance, api.grownBytes())));
    },
  ),
  systemFunction(
    'msg_cycles_available',
    { params: [], result: 'i64', from: CALLED, charge: 500, memory32Only: true },
    ({ context }) => narrow(context, context.cyclesAvailable),
  ),
  systemFunction(
    'msg_cycles_refunded',
    { params: [], result: 'i64', from: RESPONDED, charge: 500, memory32Only: true },
    ({ context }) => narrow(context, context.refunded),
  ),
  systemFunction(
    'msg_cycles_accept',
    { params: ['i64'], result: 'i64', from: CALLED, charge: 500, memory32Only: true },
    ({ context }, wanted) => accept(context, wanted),
  ),
  systemFunction(
    'canister_cycle_balance',
    { params: [], result: 'i64', from: '*', charge: 500, memory32Only: true },
    ({ context }) => narrow(context, toldBalance(context)),
  ),
];

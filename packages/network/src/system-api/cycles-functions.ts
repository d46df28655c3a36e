import { cyclesBytes, cyclesOf, fitsU64, least } from '../cycles/amount.ts';
import { replicaErrors } from '../errors.ts';
import type { MessageContext } from './message-context.ts';
import { type SystemFunction, systemFunction } from './system-function.ts';

const CALLED = 'U RQ Ry Rt';
const RESPONDED = 'Ry Rt';

function narrow(context: MessageContext, amount: bigint): bigint {
  if (fitsU64(amount)) return amount;
  throw replicaErrors.trapped(context.canister.id, 'cycles amount exceeds 64-bit representation');
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
    (api, destination) => api.write(destination, cyclesBytes(api.context.balance)),
  ),
  systemFunction(
    'canister_liquid_cycle_balance128',
    { params: ['ptr'], from: '*', charge: 500 },
    (api, destination) => {
      const { account, balance } = api.context;
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
    ({ context }) => narrow(context, context.balance),
  ),
];

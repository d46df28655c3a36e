import { FIRST_CANISTER_ORDINAL } from '@cannery/ic/limits';
import type { Canister } from '../../src/state/canister.ts';
import { canisterIdOf } from '../../src/state/canister-id.ts';
import type { IngressHistory } from '../../src/state/requests/ingress-history.ts';
import type { SubnetState } from '../../src/state/subnet-state.ts';

/** How many IDs, from the first on, are asked for whether they are retired. */
const IDS = 64n;
const FIRST_ORDINALS = [0n, FIRST_CANISTER_ORDINAL];

/** Any value as a text that is the same for equal values: fields in the order of their names, bytes in hexadecimal. */
function canonicalText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'undefined' : JSON.stringify(value);
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  if (value instanceof Map) return `map ${canonicalText([...value])}`;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(', ')}]`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${name}: ${canonicalText(field)}`).join(', ')}}`;
}

/**
 * Everything that the state has in memory, a part on each line. `arrival`: requests in their order; a state that was loaded has
 * another one. Nobody reads canisters in their order.
 */
export function stateText(state: SubnetState, arrival = true): string {
  const inOrder = (lines: string[]): string[] => (arrival ? lines : lines.toSorted());
  return [
    `record ${canonicalText(state.record)}`,
    `management queue ${canonicalText(state.managementQueue)}`,
    `seed ${canonicalText(state.seed)}`,
    `outcalls ${canonicalText(state.outcalls)}`,
    `retired ${canonicalText(retiredOf(state))}`,
    `next ID ${canonicalText(state.peekFreeId())}`,
    `forgotten ${canonicalText(state.forgotten.spans)}`,
    `bytes of replies ${replyBytesOf(state.requests)}`,
    ...inOrder(
      [...state.requests.keys()].map((id) => `request ${id} ${canonicalText(state.requests.get(id))}`),
    ),
    ...[...state.canisters].flatMap(([key, canister]) => canisterLines(key, canister)).toSorted(),
  ].join('\n');
}

function canisterLines(key: string, canister: Canister): string[] {
  return Object.entries(canister).map(([name, part]) => `canister ${key} ${name} ${canonicalText(part)}`);
}

function retiredOf(state: SubnetState): bigint[] {
  return FIRST_ORDINALS.flatMap((first) =>
    Array.from({ length: Number(IDS) }, (_, n) => first + BigInt(n)),
  ).filter((ordinal) => state.isRetired(canisterIdOf(ordinal)));
}

/** The sum that the history keeps to itself: the least limit that no reply is beyond. */
function replyBytesOf(requests: IngressHistory): number {
  let low = -1;
  let high = 2 ** 32;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (requests.beyond(middle).length > 0) low = middle;
    else high = middle;
  }
  return high;
}

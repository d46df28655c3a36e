import { onCandid } from '../../src/candid/candid-thread.ts';
import type { Outcome, Probe } from './probe.ts';

function argument(name: string, outcome: Outcome, service: string, text: string): Probe {
  return { name: `Candid: ${name}`, outcome, run: () => onCandid('encodeInit', service, text) };
}

function compare(name: string, outcome: Outcome, installed: string, next: string): Probe {
  return { name: `Candid: ${name}`, outcome, run: () => onCandid('breakingChanges', installed, next) };
}

/** Each type has the one before it twice. */
function doubling(levels: number, first: string, more = ''): string {
  const types = Array.from({ length: levels }, (_, n) =>
    n === 0 ? `type t0 = ${first};` : `type t${n} = record { a : t${n - 1}; b : t${n - 1}${more} };`,
  );
  return `${types.join('\n')}\nservice : (t${levels - 1}) -> { f : (t${levels - 1}) -> (t${levels - 1}) }`;
}

/** Interfaces and arguments, in short and in long texts. */
export const candidProbes: readonly Probe[] = [
  argument('records in records', 'refused', `service : (${'record {'.repeat(50_000)}`, '()'),
  argument('options of options', 'refused', `service : (${'opt '.repeat(3_000)}nat) -> {}`, '(null)'),
  argument('values in values', 'refused', 'service : (nat) -> {}', '('.repeat(9_000)),
  argument('types that double at each level', 'refused', doubling(60, 'nat'), '(1)'),
  argument('a type that is itself', 'refused', 'type t = t; service : (t) -> {}', '(1)'),
  argument(
    'types that define one another',
    'refused',
    `${Array.from({ length: 300 }, (_, n) => `type t${n} = opt t${(n + 1) % 300};`).join('')} service : (t0) -> {}`,
    '(1)',
  ),
  argument(
    'an identifier of 1 MB',
    'refused',
    `service : (record { ${'i'.repeat(1_000_000)} : nat }) -> {}`,
    '(1)',
  ),
  argument('a number of 100,000 digits', 'refused', 'service : (nat) -> {}', `(${'9'.repeat(100_000)})`),
  argument('escapes in a text', 'used', 'service : (text) -> {}', `("${'\\u{41}'.repeat(100_000)}")`),
  argument('a comment without end', 'refused', `service : () -> {} /*${'/*'.repeat(100_000)}`, '()'),
  argument(
    'twenty thousand types',
    'used',
    `${Array.from({ length: 20_000 }, (_, n) => `type t${n} = nat;`).join('')} service : (nat) -> {}`,
    '(1)',
  ),
  compare('doubling types beside others', 'used', doubling(40, 'nat'), doubling(40, 'int')),
  compare(
    'doubling types with a field more',
    'used',
    doubling(60, 'nat', '; c : opt nat'),
    doubling(60, 'nat'),
  ),
];

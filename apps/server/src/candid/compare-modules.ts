import { CandidError } from '@cannery/candid';
import type { Compatibility } from '@cannery/contract';
import { stableTypeErrors } from '../builders/motoko/stable-types.ts';
import { onCandid } from './candid-thread.ts';

/** What two modules say of the same thing; null where one says nothing. */
export interface TwoSides {
  readonly before: string | null;
  readonly after: string | null;
  /** What the sides are called in sentences, such as 'the installed code'. */
  readonly names: { readonly before: string; readonly after: string };
}

/** Whether callers of one Candid interface get along with another in its place. */
export async function compareCandid(sides: TwoSides): Promise<Compatibility> {
  const { before, after } = sides;
  if (before === null || after === null) return missing(sides, 'its Candid interface');
  try {
    return verdictOf(await onCandid('breakingChanges', before, after));
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    return { verdict: 'unknown', reason: `The Candid interfaces cannot be compared: ${error.message}.` };
  }
}

/** What two modules say of their data. */
export interface DataSides extends TwoSides {
  /** Whether upgrades keep the main memory of each. */
  readonly keepsMemory: { readonly before: boolean; readonly after: boolean };
}

/** Whether an upgrade keeps the data of a module, in main memory or in its stable variables. */
export async function compareData(sides: DataSides): Promise<Compatibility> {
  const { keepsMemory, names } = sides;
  if (!keepsMemory.before || keepsMemory.after) return compareStableTypes(sides);
  const text = `${names.before} keeps its data in main memory across upgrades (enhanced orthogonal persistence), but ${names.after} cannot take it over.`;
  return { verdict: 'breaking', reasons: [text.charAt(0).toUpperCase() + text.slice(1)] };
}

/** Whether an upgrade keeps the stable variables of a Motoko module. */
async function compareStableTypes(sides: TwoSides): Promise<Compatibility> {
  const { before, after } = sides;
  if (before === null || after === null) {
    return missing(sides, 'the types of its stable variables, as Motoko modules do');
  }
  const result = await stableTypeErrors(before, after);
  return 'failure' in result
    ? { verdict: 'unknown', reason: `The stable variables cannot be compared: ${result.failure}.` }
    : verdictOf(result.errors);
}

function missing({ before, after, names }: TwoSides, what: string): Compatibility {
  const neither = before === null && after === null;
  const silent = before === null ? names.before : names.after;
  const text = neither
    ? `neither ${names.before} nor ${names.after} says ${what}.`
    : `${silent} does not say ${what}.`;
  return { verdict: 'unknown', reason: text.charAt(0).toUpperCase() + text.slice(1) };
}

function verdictOf(reasons: string[]): Compatibility {
  return reasons.length === 0 ? { verdict: 'compatible' } : { verdict: 'breaking', reasons };
}

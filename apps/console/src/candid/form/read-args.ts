import { CandidError, parseValues, printValues } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import type { ArgsInput } from './args-input.ts';
import { initialState } from './initial-state.ts';
import { toValues } from './to-value.ts';

/** A line of the log shows no more than this; the whole text stands inside. */
const MAX_LINE = 300;

/** Arguments ready to be encoded, with their Candid text over as many lines as it takes, and on one. */
export interface GivenArgs {
  readonly values: unknown[];
  readonly text: string;
  readonly line: string;
}

/** Arguments, or the input marked with what is wrong. */
export type ReadArgs =
  | (GivenArgs & { readonly ok: true })
  | { readonly ok: false; readonly input: ArgsInput };

/** The empty input for arguments of these types. */
export function emptyArgs(types: readonly IDL.Type[]): ArgsInput {
  return { kind: 'form', states: types.map(initialState), errors: new Map() };
}

/** Reads what was entered for arguments of these types. */
export function readArgs(types: readonly IDL.Type[], input: ArgsInput): ReadArgs {
  if (input.kind === 'form') {
    const result = toValues(types, input.states);
    if (!result.ok) return { ok: false, input: { ...input, errors: result.errors } };
    return { ok: true, ...withText(types, result.values) };
  }
  try {
    return { ok: true, ...withText(types, parseValues(input.text, types)) };
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    return { ok: false, input: { ...input, error: error.message } };
  }
}

function withText(types: readonly IDL.Type[], values: unknown[]): GivenArgs {
  const line = printValues(types, values, Number.POSITIVE_INFINITY).slice(0, MAX_LINE);
  return { values, text: printValues(types, values), line };
}

/** Switches between the form and one text; what the form holds is carried into the text when it is complete. */
export function switchInput(types: readonly IDL.Type[], input: ArgsInput): ArgsInput {
  if (input.kind === 'raw') return emptyArgs(types);
  const read = readArgs(types, input);
  return { kind: 'raw', text: read.ok ? read.text : '()', error: undefined };
}

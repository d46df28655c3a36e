import {
  CandidError,
  CandidSyntaxError,
  CandidTypeError,
  CandidValueError,
  parseValues,
  type Position,
  printDraft,
  printValues,
} from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import type { FieldState } from './field-state.ts';
import { initialState } from './initial-state.ts';
import { randomState } from './random-state.ts';
import { stateOfValue } from './state-of-value.ts';
import { type FormErrors, toValues } from './to-value.ts';

/** What is wrong with a Candid text, and where; the place is undefined when something is missing as a whole. */
interface TextMistake {
  readonly message: string;
  readonly at: Position | undefined;
}

/** What has been entered for the arguments of a method: in the inputs of a form, or as one Candid text. */
export interface ArgsInput {
  readonly states: readonly FieldState[];
  readonly errors: FormErrors;
  /**
   * The text as typed, until an input of the form is changed; undefined while the text follows the form. A text
   * without a mistake has filled the form, so that both say the same.
   */
  readonly typed: { readonly source: string; readonly mistake: TextMistake | undefined } | undefined;
}

/** A line of the log shows no more than this; the whole text stands inside. */
const MAX_LINE = 300;

/** Arguments ready to be encoded, with their Candid text over as many lines as it takes, and on one. */
export interface GivenArgs {
  readonly values: unknown[];
  readonly text: string;
  readonly line: string;
}

/** Arguments, or the input marked with what is wrong. */
type ReadArgs = (GivenArgs & { readonly ok: true }) | { readonly ok: false; readonly input: ArgsInput };

/** The empty input for arguments of these types. */
export function emptyArgs(types: readonly IDL.Type[]): ArgsInput {
  return ofStates(types.map(initialState));
}

/** The input for arguments of these types filled at random, for trying a method out. */
export function randomArgs(types: readonly IDL.Type[]): ArgsInput {
  return ofStates(types.map((type) => randomState(type)));
}

/** Reads what was entered for arguments of these types. */
export function readArgs(types: readonly IDL.Type[], input: ArgsInput): ReadArgs {
  if (input.typed?.mistake) return { ok: false, input };
  const result = toValues(types, input.states);
  if (!result.ok) return { ok: false, input: { ...input, errors: result.errors } };
  return { ok: true, ...describeArgs(types, result.values) };
}

/** Values together with their texts. */
export function describeArgs(types: readonly IDL.Type[], values: unknown[]): GivenArgs {
  const line = printValues(types, values, Number.POSITIVE_INFINITY).slice(0, MAX_LINE);
  return { values, text: printValues(types, values), line };
}

/** The input after a change in the form: the text follows it. */
export function withState(input: ArgsInput, index: number, next: FieldState): ArgsInput {
  const path = String(index);
  // A mistake is gone from sight as soon as its input changes; the next call checks again.
  const errors = new Map([...input.errors].filter(([at]) => at !== path && !at.startsWith(`${path}/`)));
  return { states: input.states.with(index, next), errors, typed: undefined };
}

/** The input after a change in the text: the form follows as soon as the text has no mistake. */
export function withText(types: readonly IDL.Type[], input: ArgsInput, source: string): ArgsInput {
  try {
    const values = parseValues(source, types);
    const { states, errors } = ofStates(types.map((type, index) => stateOfValue(type, values[index])));
    return { states, errors, typed: { source, mistake: undefined } };
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    return { ...input, typed: { source, mistake: { message: error.message, at: placeOf(error) } } };
  }
}

/** The Candid text of what was entered: as typed, else of the form, with `_` for what is not there yet. */
export function textOfArgs(types: readonly IDL.Type[], input: ArgsInput): string {
  return input.typed?.source ?? printDraft(types, toValues(types, input.states).values, 60);
}

function ofStates(states: readonly FieldState[]): ArgsInput {
  return { states, errors: new Map(), typed: undefined };
}

function placeOf(error: CandidError): TextMistake['at'] {
  if (error instanceof CandidSyntaxError || error instanceof CandidTypeError) {
    return { line: error.line, column: error.column } satisfies Position;
  }
  if (error instanceof CandidValueError && error.line !== undefined && error.column !== undefined) {
    return { line: error.line, column: error.column };
  }
  return undefined;
}

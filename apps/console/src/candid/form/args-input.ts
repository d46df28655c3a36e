import type { Position } from '@cannery/candid';
import type { FieldState } from './field-state.ts';
import type { FormErrors } from './to-value.ts';

/** What is wrong with a Candid text, and where; the place is undefined when something is missing as a whole. */
export interface TextMistake {
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

import type { FieldState } from './field-state.ts';
import type { FormErrors } from './to-value.ts';

/** How the arguments of a method are entered: one input each, or all as one Candid text. */
export type ArgsInput =
  | { readonly kind: 'form'; readonly states: readonly FieldState[]; readonly errors: FormErrors }
  | { readonly kind: 'raw'; readonly text: string; readonly error: string | undefined };

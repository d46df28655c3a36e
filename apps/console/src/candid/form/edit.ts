import type { IDL } from '@icp-sdk/core/candid';
import type { FieldState } from './field-state.ts';
import { initialState } from './initial-state.ts';

type StateOf<Kind extends FieldState['kind']> = Extract<FieldState, { kind: Kind }>;

/** Switches an option on or off; what was entered stays for the next time it is on. */
export function toggleOpt(state: StateOf<'opt'>, some: boolean, inner: IDL.Type): FieldState {
  return { kind: 'opt', some, inner: state.inner ?? (some ? initialState(inner) : undefined) };
}

/** Adds an empty item at the end of a list. */
export function addItem(state: StateOf<'vec'>, inner: IDL.Type): FieldState {
  // Keys only ever grow, so the last one is the largest.
  const key = 1 + (state.items.at(-1)?.key ?? 0);
  return { kind: 'vec', items: [...state.items, { key, state: initialState(inner) }] };
}

/** Removes one item of a list. */
export function removeItem(state: StateOf<'vec'>, key: number): FieldState {
  return { kind: 'vec', items: state.items.filter((item) => item.key !== key) };
}

/** Replaces what was entered for one item of a list. */
export function setItem(state: StateOf<'vec'>, key: number, next: FieldState): FieldState {
  return {
    kind: 'vec',
    items: state.items.map((item) => (item.key === key ? { key, state: next } : item)),
  };
}

/** Replaces what was entered for one field of a record or tuple. */
export function setPart(state: StateOf<'fields'>, index: number, next: FieldState): FieldState {
  return { kind: 'fields', parts: state.parts.with(index, next) };
}

/** Takes another choice of a variant. */
export function choose(state: StateOf<'variant'>, choice: string, inner: IDL.Type): FieldState {
  const known = state.entered.get(choice) ?? initialState(inner);
  const entered = new Map(state.entered).set(choice, known);
  return { kind: 'variant', choice, entered };
}

/** Replaces what was entered for the current choice of a variant. */
export function setChoice(state: StateOf<'variant'>, next: FieldState): FieldState {
  return { ...state, entered: new Map(state.entered).set(state.choice, next) };
}

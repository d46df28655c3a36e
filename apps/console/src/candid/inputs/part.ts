import type { IDL } from '@icp-sdk/core/candid';
import type { ReactNode } from 'react';
import type { FieldState } from '../form/field-state.ts';
import type { FormErrors } from '../form/to-value.ts';

/** What every input of the form gets: its type, its state, its place and its mistakes. */
export interface PartProps {
  readonly type: IDL.Type;
  readonly state: FieldState;
  readonly onChange: (next: FieldState) => void;
  /** Name of the argument, field or choice. */
  readonly label: string;
  /** The type as Candid text, shown behind the label. */
  readonly typeText: string;
  readonly path: string;
  readonly errors: FormErrors;
  /** Buttons that stand behind the label. */
  readonly tools: ReactNode;
  readonly typeNames: ReadonlyMap<IDL.Type, string>;
}

/** What an input of a composite type gets beside: how to show a part of it, which may be composite again. */
export interface CompositeProps<State extends FieldState> extends Omit<PartProps, 'state'> {
  readonly state: State;
  readonly renderPart: (part: Pick<PartProps, 'type' | 'state' | 'onChange' | 'label' | 'path'>) => ReactNode;
}

/** The state of one kind. */
export type StateOf<Kind extends FieldState['kind']> = Extract<FieldState, { kind: Kind }>;

/** A composite of more parts than this is shown in pages of this many. */
export const PARTS_ON_A_PAGE = 50;

/** The part, by its number in the path, that the first mistake below a path lies in; undefined for none. */
export function firstWrongPart(errors: FormErrors, path: string): number | undefined {
  const start = `${path}/`;
  for (const at of errors.keys()) {
    if (at.startsWith(start)) return Number(at.slice(start.length).split('/', 1)[0]);
  }
  return undefined;
}

import { unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { useId } from 'react';
import { toggleOpt } from '../form/edit.ts';
import { Group } from './labelled.tsx';
import type { CompositeProps, StateOf } from './part.ts';

/** Input of an optional value: a check box, and the value once it is ticked. */
export function OptInput({
  type: outer,
  state,
  onChange,
  label,
  typeText,
  path,
  tools,
  renderPart,
}: CompositeProps<StateOf<'opt'>>) {
  const box = useId();
  const type = unwrap(outer);
  if (!(type instanceof IDL.OptClass)) return null;
  const inner: IDL.Type = type._type;
  const toggle = (
    <label htmlFor={box} className="flex cursor-pointer items-center gap-1.5 text-sm text-muted">
      <input
        id={box}
        type="checkbox"
        checked={state.some}
        aria-label={`Give a value for ${label}`}
        onChange={(event) => onChange(toggleOpt(state, event.target.checked, inner))}
        className="size-4 accent-accent"
      />
      {state.some ? 'with a value' : 'null'}
    </label>
  );
  return (
    <Group label={label} typeText={typeText} tools={tools} actions={toggle}>
      {state.some &&
        state.inner !== undefined &&
        renderPart({
          type: inner,
          state: state.inner,
          label: 'value',
          path: `${path}/0`,
          onChange: (next) => onChange({ ...state, inner: next }),
        })}
    </Group>
  );
}

import { fieldsOf, printKey, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { choose, setChoice } from '../form/edit.ts';
import { Group } from './group.tsx';
import type { CompositeProps, StateOf } from './part.ts';

/** Input of a variant: a list of its choices, and the input of the one chosen. */
export function VariantInput({
  type: outer,
  state,
  onChange,
  label,
  typeText,
  path,
  errors,
  tools,
  renderPart,
}: CompositeProps<StateOf<'variant'>>) {
  const type = unwrap(outer);
  if (!(type instanceof IDL.VariantClass)) return null;
  const choices = fieldsOf(type);
  const chosen = choices.find(([key]) => key === state.choice)?.[1];
  const inner = state.entered[state.choice];
  const isPlain = chosen === undefined || unwrap(chosen) instanceof IDL.NullClass;
  const select = (
    <select
      aria-label={`Choice of ${label}`}
      value={state.choice}
      onChange={(event) => {
        const next = choices.find(([key]) => key === event.target.value);
        if (next) onChange(choose(state, next[0], next[1]));
      }}
      className={
        'h-8 max-w-48 min-w-0 cursor-pointer rounded-control border border-control bg-surface px-2 font-mono text-sm text-ink hover:border-ink/60 focus-visible:border-accent'
      }
    >
      {choices.map(([key]) => (
        <option key={key} value={key}>
          {printKey(key)}
        </option>
      ))}
    </select>
  );
  return (
    <Group
      label={label}
      typeText={typeText}
      tools={tools}
      error={errors.get(path)}
      actions={choices.length > 0 && select}
    >
      {!isPlain &&
        inner !== undefined &&
        renderPart({
          type: chosen,
          state: inner,
          label: printKey(state.choice),
          path: `${path}/0`,
          onChange: (next) => onChange(setChoice(state, next)),
        })}
    </Group>
  );
}

import { fieldsOf, printKey, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { SelectBox } from '../../components/ui/select-box.tsx';
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
    <SelectBox
      aria-label={`Choice of ${label}`}
      look="small"
      mono
      className="max-w-48"
      options={choices.map(([key]) => ({ value: key, label: printKey(key) }))}
      value={state.choice}
      onChange={(chosen) => {
        const next = choices.find(([key]) => key === chosen);
        if (next) onChange(choose(state, next[0], next[1]));
      }}
    />
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

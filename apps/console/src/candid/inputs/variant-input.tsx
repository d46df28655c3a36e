import { chosenOf, fieldsOf, printKey, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { choose, setChoice } from '../form/edit.ts';
import { ChoiceField } from './choice-field.tsx';
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
  const chosen = chosenOf(type, { [state.choice]: null })?.[1];
  const inner = state.entered.get(state.choice);
  const isPlain = chosen === undefined || unwrap(chosen) instanceof IDL.NullClass;
  const select = (
    <ChoiceField
      label={label}
      choices={choices}
      chosen={state.choice}
      onChoose={([key, part]) => onChange(choose(state, key, part))}
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

import { chosenOf, fieldsOf, keyName, printKey, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { useId, useState } from 'react';
import { controlClass } from '../../components/ui/field.tsx';
import { SelectBox } from '../../components/ui/select-box.tsx';
import { choose, setChoice } from '../form/edit.ts';
import { Group } from './labelled.tsx';
import type { CompositeProps, StateOf } from './part.ts';

/** This many choices fit a list; of more, the name is typed. */
const MOST_LISTED = 100;
/** Names offered while one is typed. */
const MOST_OFFERED = 25;

interface ChoiceFieldProps {
  /** Of the variant. */
  readonly label: string;
  readonly choices: readonly [string, IDL.Type][];
  readonly chosen: string;
  readonly onChoose: (choice: [string, IDL.Type]) => void;
}

/** Which choice of a variant is taken. */
function ChoiceField({ label, choices, chosen, onChoose }: ChoiceFieldProps) {
  if (choices.length > MOST_LISTED) {
    return <TypedChoice label={label} choices={choices} chosen={chosen} onChoose={onChoose} />;
  }
  return (
    <SelectBox
      aria-label={`Choice of ${label}`}
      look="small"
      mono
      className="max-w-48"
      options={choices.map(([key]) => ({ value: key, label: printKey(key) }))}
      value={chosen}
      onChange={(key) => {
        const next = choices.find(([choice]) => choice === key);
        if (next) onChoose(next);
      }}
    />
  );
}

function TypedChoice({ label, choices, chosen, onChoose }: ChoiceFieldProps) {
  const [typed, setTyped] = useState<string>();
  const list = useId();
  const text = typed ?? keyName(chosen);
  const sought = text.toLowerCase();
  const offered: string[] = [];
  for (const [key] of choices) {
    if (offered.length === MOST_OFFERED) break;
    if (keyName(key).toLowerCase().includes(sought)) offered.push(keyName(key));
  }
  const isKnown = typed === undefined || choices.some(([key]) => keyName(key) === typed);
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
      <input
        aria-label={`Choice of ${label}`}
        list={list}
        value={text}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={!isKnown || undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          const next = choices.find(([key]) => keyName(key) === target.value);
          if (next) onChoose(next);
        }}
        onBlur={() => setTyped(undefined)}
        className={controlClass('h-8 w-48 max-w-full pl-2.5 font-mono text-sm')}
      />
      <datalist id={list}>
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <span className="text-xs text-muted">
        {isKnown ? `One of ${choices.length.toLocaleString('en-US')} choices` : 'There is no such choice'}
      </span>
    </span>
  );
}

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

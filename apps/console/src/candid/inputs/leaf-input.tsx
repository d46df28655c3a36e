import { integerRange, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { controlClass } from '../../components/ui/field.tsx';
import { Labelled } from './labelled.tsx';
import type { PartProps, StateOf } from './part.ts';

/** Input of a value that is one text: numbers, texts, principals, services. */
export function TextInput({
  type: outer,
  state,
  onChange,
  label,
  typeText,
  path,
  errors,
  tools,
}: PartProps & { state: StateOf<'text'> }) {
  const type = unwrap(outer);
  const isText = type instanceof IDL.TextClass;
  return (
    <Labelled label={label} typeText={typeText} error={errors.get(path)} tools={tools}>
      {({ control, describedBy, invalid }) => {
        const shared = {
          id: control,
          value: state.text,
          'aria-describedby': describedBy,
          'aria-invalid': invalid,
          autoComplete: 'off',
          spellCheck: false,
        };
        if (isText && state.text.includes('\n')) {
          return (
            <textarea
              {...shared}
              rows={Math.min(10, state.text.split('\n').length + 1)}
              onChange={(event) => onChange({ kind: 'text', text: event.target.value })}
              className={controlClass('py-2')}
            />
          );
        }
        return (
          <input
            {...shared}
            inputMode={integerRange(type) ? 'numeric' : type instanceof IDL.FloatClass ? 'decimal' : 'text'}
            onChange={(event) => onChange({ kind: 'text', text: event.target.value })}
            onPaste={(event) => {
              // A one-line input would drop the line breaks; with them in the state it becomes a text area.
              const pasted = event.clipboardData.getData('text/plain');
              if (!isText || !pasted.includes('\n')) return;
              event.preventDefault();
              const { selectionStart, selectionEnd } = event.currentTarget;
              const before = state.text.slice(0, selectionStart ?? state.text.length);
              const after = state.text.slice(selectionEnd ?? state.text.length);
              onChange({ kind: 'text', text: `${before}${pasted}${after}` });
            }}
            className={controlClass(`h-9 ${isText ? '' : 'font-mono text-sm'}`)}
          />
        );
      }}
    </Labelled>
  );
}

/** Input of a bool: a check box. */
export function BoolInput({
  state,
  onChange,
  label,
  typeText,
  tools,
}: PartProps & { state: StateOf<'bool'> }) {
  return (
    <Labelled label={label} typeText={typeText} error={undefined} tools={tools}>
      {({ control }) => (
        <span className="flex h-9 items-center gap-2">
          <input
            id={control}
            type="checkbox"
            checked={state.value}
            onChange={(event) => onChange({ kind: 'bool', value: event.target.checked })}
            className="size-4 accent-accent"
          />
          <span aria-hidden="true" className="font-mono text-sm">
            {String(state.value)}
          </span>
        </span>
      )}
    </Labelled>
  );
}

/** Input of a function reference: the canister and the name of its method. */
export function FuncInput({
  state,
  onChange,
  label,
  typeText,
  path,
  errors,
  tools,
}: PartProps & { state: StateOf<'func'> }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Labelled label={`${label}: canister`} typeText={typeText} error={errors.get(`${path}/0`)}>
        {({ control, describedBy, invalid }) => (
          <input
            id={control}
            value={state.canister}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onChange={(event) => onChange({ ...state, canister: event.target.value })}
            className={controlClass('h-9 font-mono text-sm')}
          />
        )}
      </Labelled>
      <Labelled label={`${label}: method`} typeText="" error={errors.get(`${path}/1`)} tools={tools}>
        {({ control, describedBy, invalid }) => (
          <input
            id={control}
            value={state.method}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onChange={(event) => onChange({ ...state, method: event.target.value })}
            className={controlClass('h-9 font-mono text-sm')}
          />
        )}
      </Labelled>
    </div>
  );
}

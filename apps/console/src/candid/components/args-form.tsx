import { formatType, type ServiceMethod } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import { TextArea } from '../../components/ui/text-area.tsx';
import type { ArgsInput } from '../form/args-input.ts';
import { TypeInput } from '../inputs/type-input.tsx';

interface ArgsFormProps {
  readonly method: Pick<ServiceMethod, 'args' | 'argNames' | 'argTexts'>;
  readonly typeNames: ReadonlyMap<IDL.Type, string>;
  readonly input: ArgsInput;
  readonly onChange: (next: ArgsInput) => void;
}

/** The inputs of a method's arguments: one by one, or all as one Candid text. */
export function ArgsForm({ method, typeNames, input, onChange }: ArgsFormProps) {
  if (input.kind === 'raw') {
    return (
      <TextArea
        mono
        label="Arguments as Candid text"
        hint={`For example (42, "text", opt record { name = "value" })`}
        error={input.error}
        value={input.text}
        onChange={(event) => onChange({ kind: 'raw', text: event.target.value, error: undefined })}
      />
    );
  }
  return method.args.map((type, index) => {
    const path = String(index);
    return (
      <TypeInput
        // The arguments of a method are a fixed list: their place is their identity.
        key={path}
        type={type}
        state={input.states[index] ?? { kind: 'collapsed' }}
        label={method.argNames[index] ?? (method.args.length === 1 ? 'Argument' : `Argument ${index + 1}`)}
        typeText={method.argTexts[index] ?? formatType(type, typeNames, true)}
        path={path}
        errors={input.errors}
        typeNames={typeNames}
        onChange={(next) => {
          // A mistake is gone from sight as soon as its input changes; the next call checks again.
          const errors = new Map(
            [...input.errors].filter(([at]) => at !== path && !at.startsWith(`${path}/`)),
          );
          onChange({ kind: 'form', states: input.states.with(index, next), errors });
        }}
      />
    );
  });
}

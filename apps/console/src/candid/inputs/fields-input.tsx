import { fieldsOf, printKey, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { setPart } from '../form/edit.ts';
import { partPath } from '../form/to-value.ts';
import { Group } from './group.tsx';
import type { CompositeProps, StateOf } from './part.ts';

/** Input of a record or tuple: one input per field. */
export function FieldsInput({
  type: outer,
  state,
  onChange,
  label,
  typeText,
  path,
  tools,
  renderPart,
}: CompositeProps<StateOf<'fields'>>) {
  const type = unwrap(outer);
  if (!(type instanceof IDL.RecordClass)) return null;
  const fields = fieldsOf(type);
  return (
    <Group label={label} typeText={typeText} tools={tools}>
      {fields.length > 0 &&
        fields.map(([key, inner], index) => (
          <div key={key}>
            {renderPart({
              type: inner,
              state: state.parts[index] ?? { kind: 'collapsed' },
              label: printKey(key),
              path: partPath(path, index),
              onChange: (next) => onChange(setPart(state, index, next)),
            })}
          </div>
        ))}
    </Group>
  );
}

import { unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { addItem, removeItem, setItem } from '../form/edit.ts';
import { partPath } from '../form/to-value.ts';
import { Group } from './group.tsx';
import type { CompositeProps, StateOf } from './part.ts';

/** Input of a list: its items one beneath the other, with buttons to add and remove. */
export function VecInput({
  type: outer,
  state,
  onChange,
  label,
  typeText,
  path,
  renderPart,
}: CompositeProps<StateOf<'vec'>>) {
  const type = unwrap(outer);
  if (!(type instanceof IDL.VecClass)) return null;
  const inner: IDL.Type = type._type;
  const add = (
    <Button
      size="small"
      aria-label={`Add an item to ${label}`}
      onClick={() => onChange(addItem(state, inner))}
    >
      <Plus className="size-3.5" aria-hidden="true" />
      Add
    </Button>
  );
  return (
    <Group label={label} typeText={typeText} actions={add}>
      {state.items.length > 0 &&
        state.items.map((item, index) => (
          <div key={item.key} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              {renderPart({
                type: inner,
                state: item.state,
                label: `${index + 1}`,
                path: partPath(path, item.key),
                onChange: (next) => onChange(setItem(state, item.key, next)),
              })}
            </div>
            <IconButton
              size="small"
              label={`Remove item ${index + 1} of ${label}`}
              onClick={() => onChange(removeItem(state, item.key))}
            >
              <Trash2 className="size-3.5" />
            </IconButton>
          </div>
        ))}
    </Group>
  );
}

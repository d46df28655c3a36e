import { unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { addItem, removeItem, setItem } from '../form/edit.ts';
import type { ItemState } from '../form/field-state.ts';
import { partPath } from '../form/to-value.ts';
import { Group } from './labelled.tsx';
import { type CompositeProps, firstWrongPart, PARTS_ON_A_PAGE, type StateOf } from './part.ts';
import { PageButtons } from '../components/method/page-buttons.tsx';

function itemsOn(items: readonly ItemState[], page: number): { item: ItemState; index: number }[] {
  const from = page * PARTS_ON_A_PAGE;
  return items.slice(from, from + PARTS_ON_A_PAGE).map((item, offset) => ({ item, index: from + offset }));
}

/** Input of a list: its items one beneath the other, with buttons to add and remove. */
export function VecInput({
  type: outer,
  state,
  onChange,
  label,
  typeText,
  path,
  errors,
  tools,
  renderPart,
}: CompositeProps<StateOf<'vec'>>) {
  const [page, setPage] = useState(0);
  const [seenErrors, setSeenErrors] = useState(errors);
  if (errors !== seenErrors) {
    // The page with the first mistake comes into sight.
    setSeenErrors(errors);
    const key = firstWrongPart(errors, path);
    const wrong = key === undefined ? -1 : state.items.findIndex((item) => item.key === key);
    if (wrong >= 0) setPage(Math.floor(wrong / PARTS_ON_A_PAGE));
  }
  const type = unwrap(outer);
  if (!(type instanceof IDL.VecClass)) return null;
  const inner: IDL.Type = type._type;
  const count = state.items.length;
  const pages = Math.ceil(count / PARTS_ON_A_PAGE);
  const shown = Math.min(page, Math.max(0, pages - 1));
  const add = (
    <Button
      size="small"
      aria-label={`Add an item to ${label}`}
      onClick={() => {
        onChange(addItem(state, inner));
        setPage(Math.floor(count / PARTS_ON_A_PAGE));
      }}
    >
      <Plus className="size-3.5" aria-hidden="true" />
      Add
    </Button>
  );
  return (
    <Group label={label} typeText={typeText} tools={tools} actions={add}>
      {pages > 1 && (
        <PageButtons
          label={`Items of ${label}`}
          from={shown * PARTS_ON_A_PAGE}
          to={Math.min(count, (shown + 1) * PARTS_ON_A_PAGE)}
          of={count}
          onMove={(step) => setPage(shown + step)}
        />
      )}
      {count > 0 &&
        itemsOn(state.items, shown).map(({ item, index }) => (
          <div key={item.key} className="flex items-start gap-1">
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

import { fieldsOf, keyName, printKey, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { useState } from 'react';
import { SearchField } from '../../components/ui/search-field.tsx';
import { PageButtons } from '../components/method/page-buttons.tsx';
import { setPart } from '../form/edit.ts';
import { partPath } from '../form/to-value.ts';
import { Group } from './labelled.tsx';
import { type CompositeProps, firstWrongPart, PARTS_ON_A_PAGE, type StateOf } from './part.ts';

interface Place {
  readonly page: number;
  /** A part of the names of the fields that are shown. */
  readonly sought: string;
}

const BEGINNING: Place = { page: 0, sought: '' };

/** Input of a record or tuple: one input per field; of very many fields a page of them, and a search. */
export function FieldsInput({
  type: outer,
  state,
  onChange,
  label,
  typeText,
  path,
  errors,
  tools,
  renderPart,
}: CompositeProps<StateOf<'fields'>>) {
  const [place, setPlace] = useState(BEGINNING);
  const [seenErrors, setSeenErrors] = useState(errors);
  if (errors !== seenErrors) {
    // The page with the first mistake comes into sight.
    setSeenErrors(errors);
    const wrong = firstWrongPart(errors, path);
    if (wrong !== undefined) setPlace({ page: Math.floor(wrong / PARTS_ON_A_PAGE), sought: '' });
  }
  const type = unwrap(outer);
  if (!(type instanceof IDL.RecordClass)) return null;
  const all = fieldsOf(type).map(([key, inner], index) => ({ key, inner, index }));
  const sought = place.sought.trim().toLowerCase();
  const fields = sought === '' ? all : all.filter(({ key }) => keyName(key).toLowerCase().includes(sought));
  const from = place.page * PARTS_ON_A_PAGE;
  const shown = fields.slice(from, from + PARTS_ON_A_PAGE);
  return (
    <Group label={label} typeText={typeText} tools={tools}>
      {all.length > PARTS_ON_A_PAGE && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <SearchField
            label={`Find a field of ${label}`}
            value={place.sought}
            onChange={(next) => setPlace({ page: 0, sought: next })}
            className="w-full sm:w-56"
          />
          <PageButtons
            label={`Fields of ${label}`}
            from={from}
            to={from + shown.length}
            of={fields.length}
            onMove={(step) => setPlace({ ...place, page: place.page + step })}
          />
        </div>
      )}
      {shown.length > 0 &&
        shown.map(({ key, inner, index }) => (
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

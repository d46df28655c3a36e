import { useId } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { controlClass } from '../../components/ui/control-class.ts';
import { blobBytes } from '../form/blob-bytes.ts';
import type { BlobSource } from '../form/field-state.ts';
import { Labelled } from './labelled.tsx';
import type { PartProps, StateOf } from './part.ts';

const SOURCES: readonly { readonly value: BlobSource; readonly label: string }[] = [
  { value: 'hex', label: 'Hex' },
  { value: 'text', label: 'Text' },
  { value: 'file', label: 'File' },
];

/** Input of bytes: as hexadecimal digits, as a text, or from a file. */
export function BlobInput({
  state,
  onChange,
  label,
  typeText,
  path,
  errors,
}: PartProps & { state: StateOf<'blob'> }) {
  const group = useId();
  const bytes = blobBytes(state);
  return (
    <Labelled label={label} typeText={typeText} error={errors.get(path)}>
      {({ control, describedBy, invalid }) => (
        <>
          <fieldset className="flex w-fit overflow-hidden rounded-control border border-control/60">
            <legend className="sr-only">{`${label}: how the bytes are entered`}</legend>
            {SOURCES.map((source) => (
              <label
                key={source.value}
                className={classNames(
                  'cursor-pointer px-3 py-1 text-xs font-medium has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
                  state.source === source.value ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-ink/6',
                )}
              >
                <input
                  type="radio"
                  name={group}
                  checked={state.source === source.value}
                  onChange={() => onChange({ ...state, source: source.value })}
                  className="sr-only"
                />
                {source.label}
              </label>
            ))}
          </fieldset>
          {state.source === 'file' ? (
            <input
              id={control}
              type="file"
              aria-describedby={describedBy}
              aria-invalid={invalid}
              onChange={(event) => {
                const file = event.target.files?.[0];
                if (!file) return onChange({ ...state, file: undefined });
                void file.arrayBuffer().then((buffer) => {
                  onChange({ ...state, file: { name: file.name, bytes: new Uint8Array(buffer) } });
                });
              }}
              className="max-w-full text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-control file:border file:border-control/60 file:bg-surface file:px-3 file:text-sm file:text-ink hover:file:bg-sunken"
            />
          ) : (
            <textarea
              id={control}
              rows={2}
              value={state.text}
              spellCheck={false}
              placeholder={state.source === 'hex' ? 'such as de ad be ef' : undefined}
              aria-describedby={describedBy}
              aria-invalid={invalid}
              onChange={(event) => onChange({ ...state, text: event.target.value })}
              className={controlClass('py-2 font-mono text-sm')}
            />
          )}
          {typeof bytes !== 'string' && (
            <p className="text-xs text-muted">{bytes.length === 1 ? '1 byte' : `${bytes.length} bytes`}</p>
          )}
        </>
      )}
    </Labelled>
  );
}

import { buttonClass } from '../../components/ui/button.tsx';
import { controlClass } from '../../components/ui/field.tsx';
import { bytesText } from '../shown-texts.ts';
import { Segments } from '../components/caller/segments.tsx';
import { blobBytes, MAX_ARGUMENT_BYTES, switchSource } from '../form/blob-bytes.ts';
import type { BlobSource, ChosenFile } from '../form/field-state.ts';
import { Labelled } from './labelled.tsx';
import type { PartProps, StateOf } from './part.ts';

const SOURCES: readonly { readonly value: BlobSource; readonly label: string }[] = [
  { value: 'hex', label: 'Hex' },
  { value: 'text', label: 'Text' },
  { value: 'file', label: 'File' },
];

/** @returns a file with its bytes, unless it is too large to be sent */
async function readFile(file: File): Promise<ChosenFile> {
  const { name, size } = file;
  const bytes = size > MAX_ARGUMENT_BYTES ? new Uint8Array() : new Uint8Array(await file.arrayBuffer());
  return { name, size, bytes };
}

/** Input of bytes: as hexadecimal digits, as a text, or from a file. */
export function BlobInput({
  state,
  onChange,
  label,
  typeText,
  path,
  errors,
  tools,
}: PartProps & { state: StateOf<'blob'> }) {
  const bytes = blobBytes(state);
  // A file that no call takes is said at once, before anything is sent.
  const isRefused = state.source === 'file' && state.file !== undefined && typeof bytes === 'string';
  return (
    <Labelled label={label} typeText={typeText} error={isRefused ? bytes : errors.get(path)} tools={tools}>
      {({ control, describedBy, invalid }) => (
        <>
          <Segments
            legend={`${label}: how the bytes are entered`}
            options={SOURCES}
            value={state.source}
            onChange={(source) => onChange(switchSource(state, source))}
          />
          {state.source === 'file' ? (
            <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <span
                className={buttonClass({
                  size: 'small',
                  className: 'has-focus-visible:outline-2 has-focus-visible:outline-accent',
                })}
              >
                Choose a file
                <input
                  id={control}
                  type="file"
                  aria-describedby={describedBy}
                  aria-invalid={invalid}
                  onChange={(event) => {
                    const [file] = event.target.files ?? [];
                    if (!file) return;
                    void readFile(file).then((chosen) => onChange({ ...state, file: chosen }));
                  }}
                  className="absolute inset-0 cursor-pointer opacity-0"
                />
              </span>
              <span className="min-w-0 truncate text-sm text-muted">
                {state.file?.name ?? 'No file chosen'}
              </span>
            </span>
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
          {typeof bytes !== 'string' && <p className="text-xs text-muted">{bytesText(bytes.length)}</p>}
        </>
      )}
    </Labelled>
  );
}

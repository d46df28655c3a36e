import { FileCode2, Upload, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { byteSize } from '../../lib/text/byte-size.ts';
import { classNames } from '../../lib/class-names.ts';
import { IconButton } from './icon-button.tsx';

interface FileDropProps {
  readonly label: string;
  /** What to choose, such as 'a .wasm file'. */
  readonly what: string;
  readonly accept: string;
  readonly file: File | undefined;
  readonly error?: string;
  readonly disabled?: boolean;
  readonly onFile: (file: File | undefined) => void;
}

/** A file to choose or to drop. One that is refused shows with the mistake, and can be taken out again like one that fits. */
export function FileDrop({ label, what, accept, file, error, disabled = false, onFile }: FileDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [chosen, setChosen] = useState<File>();
  // A mistake without a file is that one is missing.
  const shown = file ?? (error === undefined ? undefined : chosen);

  const choose = (next: File | undefined): void => {
    setChosen(next);
    onFile(next);
  };

  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-sm font-medium" id={`${id}-label`}>
        {label}
      </span>
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (!disabled) choose(event.dataTransfer.files[0]);
        }}
        className={classNames(
          'flex min-h-20 cursor-pointer items-center justify-center gap-3 rounded-card border border-dashed px-4 text-center',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          error !== undefined
            ? 'border-bad'
            : over
              ? 'border-accent bg-accent-soft'
              : 'border-control hover:bg-ink/3',
          disabled && 'pointer-events-none opacity-55',
        )}
      >
        {shown ? (
          <FileCode2
            className={classNames('size-5 shrink-0', shown === file ? 'text-accent' : 'text-bad')}
            aria-hidden="true"
          />
        ) : (
          <Upload className="size-5 shrink-0 text-muted" aria-hidden="true" />
        )}
        <span className="min-w-0">
          {shown ? (
            <>
              <span className="font-medium break-all">{shown.name}</span>{' '}
              <span className="text-sm text-muted">{byteSize(shown.size)}</span>
            </>
          ) : (
            <>
              <span className="font-medium">Choose {what}</span>
              <span className="text-muted max-sm:hidden"> or drop it here</span>
            </>
          )}
        </span>
        {shown && (
          <IconButton
            label="Remove file"
            size="small"
            onClick={(event) => {
              event.preventDefault();
              if (input.current) input.current.value = '';
              choose(undefined);
            }}
          >
            <X className="size-4" />
          </IconButton>
        )}
        <input
          ref={input}
          type="file"
          accept={accept}
          disabled={disabled}
          aria-labelledby={`${id}-label`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          className="sr-only"
          onChange={(event) => choose(event.target.files?.[0])}
        />
      </label>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

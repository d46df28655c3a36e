import { type ReactNode, useId } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** The look of text inputs, selects and text areas. */
export function controlClass(className?: string): string {
  return classNames(
    'w-full rounded-control border border-control bg-surface px-3 text-base text-ink',
    'hover:border-ink/60 focus-visible:border-accent focus-visible:outline-offset-0',
    // A phone zooms in on controls whose text is smaller than 16 px.
    'max-sm:min-h-11 max-sm:text-lg',
    'aria-invalid:border-bad disabled:cursor-not-allowed disabled:opacity-55',
    className,
  );
}

export interface FieldLook {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string;
}

interface FieldProps extends FieldLook {
  readonly children: (ids: { control: string; describedBy: string | undefined }) => ReactNode;
}

/** Label above, hint or error beneath a control, tied to it for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  const control = useId();
  const note = useId();
  const hasNote = error !== undefined || hint !== undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={control} className="text-sm font-medium">
        {label}
      </label>
      {children({ control, describedBy: hasNote ? note : undefined })}
      {error !== undefined ? (
        <p id={note} role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={note} className="text-sm text-muted">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

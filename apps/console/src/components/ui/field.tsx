import { useId, type ReactNode } from 'react';

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

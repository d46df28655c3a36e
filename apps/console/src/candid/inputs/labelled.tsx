import { type ReactNode, useId } from 'react';
import { beginningOf } from '../components/method/beginning-of.ts';

interface LabelledProps {
  readonly label: string;
  readonly typeText: string;
  readonly error: string | undefined;
  readonly tools?: ReactNode;
  readonly children: (ids: {
    control: string;
    describedBy: string | undefined;
    invalid: true | undefined;
  }) => ReactNode;
}

/** Label and type above one control, its mistake beneath, tied together for screen readers. */
export function Labelled({ label, typeText, error, tools, children }: LabelledProps) {
  const control = useId();
  const note = useId();
  const hasError = error !== undefined;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 items-center gap-2">
        <label htmlFor={control} className="min-w-0 text-sm">
          <PartName label={label} typeText={typeText} />
        </label>
        {tools}
      </div>
      {children({ control, describedBy: hasError ? note : undefined, invalid: hasError || undefined })}
      <Mistake id={note} text={error} />
    </div>
  );
}

/** A name with its type behind it. */
export function PartName({ label, typeText }: { label: string; typeText: string }) {
  return (
    <>
      <span className="mr-1 font-medium">{label}</span>{' '}
      <span className="font-mono text-xs break-words text-muted" title={beginningOf(typeText, 1_000)}>
        {beginningOf(typeText, 72)}
      </span>
    </>
  );
}

/** What is wrong with an input. */
export function Mistake({ id, text }: { id?: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={id} data-mistake="" className="text-sm text-bad">
      {text}
    </p>
  );
}

import { type ReactNode, useId } from 'react';
import { beginningOf } from '../shown-texts.ts';

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
function PartName({ label, typeText }: { label: string; typeText: string }) {
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
function Mistake({ id, text }: { id?: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={id} data-mistake="" className="text-sm text-bad">
      {text}
    </p>
  );
}

interface GroupProps {
  readonly label: string;
  readonly typeText: string;
  readonly error?: string | undefined;
  /** Controls beside the name, such as a switch. */
  readonly actions?: ReactNode;
  /** Buttons at the end of the row. */
  readonly tools?: ReactNode;
  readonly children?: ReactNode;
}

/** The parts of a composite value beneath its name, set off by a line. */
export function Group({ label, typeText, error, actions, tools, children }: GroupProps) {
  const hasChildren = Boolean(children);
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{`${label} ${beginningOf(typeText, 72)}`}</legend>
      <div className="flex items-start gap-2">
        <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
          <span aria-hidden="true" className="min-w-0 text-sm">
            <PartName label={label} typeText={typeText} />
          </span>
          {actions}
        </div>
        {tools}
      </div>
      <Mistake text={error} />
      {hasChildren && (
        <div className="mt-2 flex flex-col gap-3 border-l-2 border-line pl-3 sm:pl-4">{children}</div>
      )}
    </fieldset>
  );
}

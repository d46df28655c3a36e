import type { ReactNode } from 'react';
import { beginningOf } from '../components/method/beginning-of.ts';
import { Mistake, PartName } from './labelled.tsx';

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

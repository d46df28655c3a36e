import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';

interface ObjectPageProps {
  /** What one comes to the page for. */
  readonly children: ReactNode;
  /** Facts about the object, as `RailSection`s. */
  readonly rail: ReactNode;
  /** Records, settings and what is rarely wanted: beneath the main part, and after the facts where all is one column. */
  readonly last?: ReactNode;
}

/**
 * The page of one object: the main part, and beside it a rail of facts where the place is at least 1080 px wide (a window
 * of 1440 px leaves 1152 beside the sidebar); in a narrower one the facts follow the main part, in two columns while they fit.
 */
export function ObjectPage({ children, rail, last }: ObjectPageProps) {
  const hasLast = last !== undefined;
  return (
    <div className="@container">
      <div
        className={classNames(
          'grid grid-cols-1 gap-5 has-[>[data-testid=rail]:empty]:grid-cols-1! @min-[1080px]:grid-cols-[minmax(0,1fr)_19rem] @min-[1080px]:gap-x-8',
          hasLast && '@min-[1080px]:grid-rows-[auto_1fr]',
        )}
      >
        <div className="flex min-w-0 flex-col gap-5">{children}</div>
        <div
          data-testid="rail"
          className={classNames(
            'grid min-w-0 animate-entrance content-start gap-x-10 gap-y-5 empty:hidden @max-[1080px]:px-1 @max-[1080px]:py-2 @max-[1080px]:@min-[640px]:grid-cols-2 @min-[1080px]:col-start-2 @min-[1080px]:row-start-1',
            hasLast && '@min-[1080px]:row-span-2',
          )}
        >
          {rail}
        </div>
        {hasLast && <div className="flex min-w-0 flex-col gap-5 @min-[1080px]:col-start-1">{last}</div>}
      </div>
    </div>
  );
}

interface RailSectionProps {
  readonly title: string;
  /** Beside the title, such as a number. */
  readonly note?: ReactNode;
  /** At the end of the title's line. */
  readonly action?: ReactNode;
  /** Accessible name, where the section is one that is looked for. */
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Facts of one kind in the rail of an object's page. */
export function RailSection({ title, note, action, label, className, children }: RailSectionProps) {
  return (
    <section
      aria-label={label}
      className={classNames(
        'min-w-0 border-t border-line pt-4 @min-[1080px]:first:border-0 @min-[1080px]:first:pt-1',
        className,
      )}
    >
      <div className="mb-2 flex min-h-6 items-center gap-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {note !== undefined && <span className="text-sm text-muted">{note}</span>}
        {action !== undefined && <span className="ml-auto text-sm">{action}</span>}
      </div>
      {children}
    </section>
  );
}

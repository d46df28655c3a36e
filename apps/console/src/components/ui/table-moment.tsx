import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { ago } from '../../lib/formats.ts';

interface TableMomentProps {
  /** ISO 8601. */
  readonly at: string;
  readonly className?: string;
  /** The moment as a date. */
  readonly children: ReactNode;
}

/**
 * A date in a row that tells on hover how long ago it was: as of the hover, for a row may stand for hours without being
 * drawn anew. It is a plain element, since `Moment` for every row of a list would slow its paging down.
 */
export function TableMoment({ at, className, children }: TableMomentProps) {
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = ago(at);
      }}
      className={classNames('whitespace-nowrap', className)}
    >
      {children}
    </time>
  );
}

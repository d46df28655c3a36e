import { ago } from '../../lib/text/formats.ts';

interface TableMomentProps {
  /** ISO 8601; null where there is none. */
  readonly at: string | null;
  /** The moment as a date and a time. */
  readonly children: string;
}

/**
 * A date in a row that tells on hover how long ago it was: as of the hover, for a row may be on show for hours without
 * being drawn again. It is a plain element, since `Moment` for every row of a list would slow its paging down.
 */
export function TableMoment({ at, children }: TableMomentProps) {
  return (
    <time
      dateTime={at ?? undefined}
      className="whitespace-nowrap"
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = ago(at);
      }}
    >
      {children}
    </time>
  );
}

import type { ReactNode } from 'react';
import { ago, NOT_AVAILABLE } from '../../lib/text/formats.ts';
import { Tooltip } from './tooltip.tsx';

interface MomentProps {
  /** ISO 8601; N/A stands where there is none. */
  readonly at: string | null;
  /** The moment as a date. */
  readonly children: ReactNode;
}

/** A date that tells on hover and on focus how long ago it was. */
export function Moment({ at, children }: MomentProps) {
  if (!at || Number.isNaN(Date.parse(at))) return NOT_AVAILABLE;
  return (
    <Tooltip text={ago(at)}>
      <button type="button" className="cursor-default rounded-control whitespace-nowrap">
        <time dateTime={at}>{children}</time>
      </button>
    </Tooltip>
  );
}

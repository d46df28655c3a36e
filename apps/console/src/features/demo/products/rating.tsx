import { NOT_AVAILABLE } from '../../../lib/text/formats.ts';
import { classNames } from '../../../lib/class-names.ts';

const STAR = 'M8 1.6l1.98 4.02 4.42.64-3.2 3.12.76 4.42L8 11.7l-3.96 2.1.76-4.42-3.2-3.12 4.42-.64z';
const places = [0, 1, 2, 3, 4];
const MOST_STARS = 5;
/** Pixels of the five stars. */
const WIDTH = 75;

function Stars({ className }: { className: string }) {
  return (
    <svg
      viewBox="0 0 80 16"
      width={WIDTH}
      className={classNames('block max-w-none', className)}
      aria-hidden="true"
    >
      {places.map((place) => (
        <path key={place} d={STAR} transform={`translate(${place * 16})`} />
      ))}
    </svg>
  );
}

/** Five stars, filled up to the rating, and the rating as a number. */
export function Rating({ rating }: { rating: number | null }) {
  if (rating === null) return <span>{NOT_AVAILABLE}</span>;
  const shown = Math.min(MOST_STARS, Math.max(0, rating));
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="relative block" role="img" aria-label={`${shown.toFixed(1)} of 5 stars`}>
        <Stars className="fill-ink/15" />
        <span
          className="absolute inset-y-0 left-0 overflow-hidden"
          style={{ width: (shown / MOST_STARS) * WIDTH }}
        >
          <Stars className="fill-warn" />
        </span>
      </span>
      <span className="text-sm text-muted">{shown.toFixed(1)}</span>
    </span>
  );
}

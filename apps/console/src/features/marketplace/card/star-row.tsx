import type { Dapp } from '@cannery/contract';
import { Star } from 'lucide-react';
import { classNames } from '../../../lib/class-names.ts';
import { ratingOf } from './card-texts.ts';

const STARS = [0, 1, 2, 3, 4] as const;

interface StarRowProps {
  readonly dapp: Pick<Dapp, 'rating' | 'ratings'>;
  /** Size of a star. */
  readonly size?: string;
  readonly className?: string;
}

/**
 * Five stars, filled as far as the average of real ratings, with average and number; outlines, which say nothing, where there are
 * none.
 */
export function StarRow({ dapp, size = 'size-3.5', className }: StarRowProps) {
  const rating = ratingOf(dapp);
  return (
    <span
      data-testid="stars"
      {...(rating === undefined
        ? { 'aria-hidden': true, title: 'No ratings yet' }
        : { role: 'img', 'aria-label': rating.text, title: rating.text })}
      className={classNames('inline-flex items-center gap-1.5', className)}
    >
      <span className={classNames('flex gap-0.5', rating === undefined ? 'text-muted/70' : 'text-warn')}>
        {STARS.map((star) => {
          const share = Math.min(1, Math.max(0, (rating?.average ?? 0) - star));
          return (
            <span key={star} data-filled={share} className="relative">
              <Star className={size} strokeWidth={1.5} />
              {share > 0 && (
                <span
                  className="absolute inset-y-0 left-0 overflow-hidden"
                  style={{ width: `${share * 100}%` }}
                >
                  <Star className={classNames('fill-current', size)} strokeWidth={1.5} />
                </span>
              )}
            </span>
          );
        })}
      </span>
      {rating !== undefined && <span className="tabular-nums">{rating.short}</span>}
    </span>
  );
}

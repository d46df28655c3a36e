import type { Dapp } from '@cannery/contract';
import { Star } from 'lucide-react';
import { ratingOf } from './rating.ts';

const STARS = [0, 1, 2, 3, 4] as const;

/** Five stars, filled as far as the average of real ratings; outlines, which say nothing, where there are none. */
export function StarRow({ dapp }: { dapp: Pick<Dapp, 'rating' | 'ratings'> }) {
  const rating = ratingOf(dapp);
  return (
    <span
      data-testid="stars"
      {...(rating === undefined
        ? { 'aria-hidden': true, title: 'No ratings yet' }
        : { role: 'img', 'aria-label': rating.text, title: rating.text })}
      className="flex gap-0.5 text-warn"
    >
      {STARS.map((star) => {
        const share = Math.min(1, Math.max(0, (rating?.average ?? 0) - star));
        return (
          <span key={star} data-filled={share} className="relative">
            <Star className="size-3.5" strokeWidth={1.5} />
            {share > 0 && (
              <span
                className="absolute inset-y-0 left-0 overflow-hidden"
                style={{ width: `${share * 100}%` }}
              >
                <Star className="size-3.5 fill-current" strokeWidth={1.5} />
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}

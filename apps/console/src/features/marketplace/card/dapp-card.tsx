import type { Dapp } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { buttonClass } from '../../../components/ui/button.tsx';
import { paths } from '../../../config/paths.ts';
import { shown } from '../../../lib/text/formats.ts';
import { dappName } from '../api/dapp-state.ts';
import { DappActions } from './dapp-actions.tsx';
import { DappIcon } from './dapp-icon.tsx';
import { installsText, ratingOf, shortDescription } from './card-texts.ts';

const STARS = [0, 1, 2, 3, 4] as const;

/** Five stars, filled as far as the average of real ratings; outlines, which say nothing, where there are none. */
function StarRow({ dapp }: { dapp: Pick<Dapp, 'rating' | 'ratings'> }) {
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

/** A dapp in the grid of the marketplace. */
export function DappCard({ dapp }: { dapp: Dapp }) {
  const name = dappName(dapp);
  const installs = installsText(dapp.installs);
  return (
    <article
      aria-label={name}
      className="flex h-full flex-col gap-3 rounded-card border border-line bg-surface p-4"
    >
      <div className="flex items-start gap-3">
        <DappIcon icon={dapp.icon} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold" title={name}>
            {name}
          </h2>
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
            <span className="tabular-nums">v{shown(dapp.version)}</span>
            <StarRow dapp={dapp} />
          </p>
        </div>
        <DappActions dapp={dapp} />
      </div>
      <p className="text-sm text-pretty wrap-anywhere text-muted">
        {shortDescription(dapp.description ?? '')}
      </p>
      <div className="mt-auto flex items-center justify-between gap-3">
        <span className="text-sm text-muted">{installs}</span>
        <Link to={paths.dapp} params={{ id: dapp.id }} className={buttonClass({ size: 'small' })}>
          View
        </Link>
      </div>
    </article>
  );
}

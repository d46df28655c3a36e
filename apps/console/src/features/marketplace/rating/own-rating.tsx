import type { Dapp } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { serverText } from '../../../lib/api/api-error.ts';
import { useChosen } from '../../../lib/browser/use-chosen.ts';
import { useAuth } from '../../../lib/session/auth-state.ts';
import { ownRatingQuery } from '../api/queries.ts';
import { StarChoice } from './star-choice.tsx';
import { useRateDapp } from './use-rate-dapp.ts';

/** As tall as the stars, whatever is said. */
const rowClass = 'flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 max-sm:min-h-11';

interface OwnRatingProps {
  readonly dapp: Pick<Dapp, 'id' | 'user'>;
  /** Puts what is shown in its place; not called where the service does not tell. */
  readonly children: (rating: ReactNode) => ReactNode;
}

/** What the user rates a dapp: whoever has an instance chooses, changes and withdraws it; anybody else reads who can. */
export function OwnRating({ dapp, children }: OwnRatingProps) {
  const { currentUser } = useAuth();
  const { data, isPending } = useQuery(ownRatingQuery(dapp.id));
  const rate = useRateDapp(dapp.id);
  const { shown: value, choose } = useChosen(data?.stars ?? null, rate);
  const stars = useRef<HTMLFieldSetElement>(null);
  if (isPending) {
    return children(
      <div className={rowClass}>
        <Skeleton className="w-36" />
      </div>,
    );
  }
  if (data === undefined) return null;
  const { may_rate: may } = data;
  if (!may && value === null) {
    const isPublisher = dapp.user?.username != null && dapp.user.username === currentUser?.username;
    return children(
      <p className={`${rowClass} text-muted`}>
        {isPublisher ? 'Your dapp is rated by those who install it.' : 'Install it to rate it.'}
      </p>,
    );
  }
  const withdraw = (): void => {
    choose(null);
    // The button goes with the rating; the keyboard stays where it was.
    stars.current?.querySelector('input')?.focus();
  };
  return children(
    <>
      <div className={rowClass}>
        <StarChoice ref={stars} label="Your rating" value={value} disabled={!may} onChoose={choose} />
        {value !== null && (
          <Button size="small" variant="ghost" className="text-muted" onClick={withdraw}>
            Withdraw
          </Button>
        )}
        {!may && <span className="text-sm text-muted">You have no instance any more.</span>}
      </div>
      {rate.isError && !rate.isPending && (
        <p role="alert" className="text-sm text-bad">
          {serverText(rate.error)}
        </p>
      )}
    </>,
  );
}

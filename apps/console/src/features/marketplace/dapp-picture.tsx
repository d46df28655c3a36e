import type { Dapp } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { versionsQuery } from './api/queries.ts';
import { DappCover, isOfEarlier } from './card/dapp-cover.tsx';

/** The picture of a dapp on its page; one of an earlier version says of which. */
export function DappPicture({ dapp }: { dapp: Dapp }) {
  const { data } = useQuery(versionsQuery(dapp.id));
  const shown = data?.find(({ identifier }) => identifier === dapp.picture_of);
  return (
    <figure className="mt-5 max-w-2xl">
      <DappCover dapp={dapp} />
      {isOfEarlier(dapp) && (
        <figcaption className="mt-1.5 min-h-5 text-sm text-muted">
          {shown === undefined ? 'Picture of an earlier version' : `Picture of v${shown.version}`}
        </figcaption>
      )}
    </figure>
  );
}

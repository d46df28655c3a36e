import type { CanisterPicture, PictureFailure } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Camera } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { Moment } from '../../../components/ui/moment.tsx';
import { describeError } from '../../../lib/api/api-error.ts';
import { instanceDate } from '../../../lib/text/formats.ts';
import { canisterPictureQuery, useOrderPicture } from '../api/picture.ts';

/** Why there is no new picture; each fits one line of a phone. */
const failures: Readonly<Record<PictureFailure, string>> = {
  no_page: 'No picture: the website did not open.',
  changed: 'No picture: its code was changed.',
  no_browser: 'No picture: the server has no browser.',
};

function State({ picture }: { picture: CanisterPicture | undefined }) {
  if (picture === undefined) return null;
  if (picture.ordered) return 'Taking a picture ...';
  if (picture.failure !== null) return failures[picture.failure];
  if (picture.taken_at === null) return null;
  return (
    <>
      Picture taken <Moment at={picture.taken_at}>{instanceDate(picture.taken_at)}</Moment>
    </>
  );
}

/** The button that has a picture taken of what a canister serves, and what has become of that. Its place is the same throughout. */
export function TakePicture({ canisterId }: { canisterId: string }) {
  const { data } = useQuery(canisterPictureQuery(canisterId));
  const order = useOrderPicture(canisterId);
  const isUnderWay = order.isPending || data?.ordered === true;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="small" busy={isUnderWay} onClick={() => order.mutate()}>
        <Camera className="size-3.5" aria-hidden="true" />
        Take a picture
      </Button>
      <p role="status" className="min-h-5 basis-56 text-sm text-muted max-sm:basis-full">
        {order.isError && !isUnderWay ? describeError(order.error).reason : <State picture={data} />}
      </p>
    </div>
  );
}

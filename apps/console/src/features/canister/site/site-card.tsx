import type { Canister } from '@cannery/contract';
import { Card } from '../../../components/ui/card.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { SiteLink } from '../../../components/ui/site-link.tsx';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { useSite } from './open-site.tsx';
import { SiteThumb } from './site-thumb.tsx';
import { TakePicture } from './take-picture.tsx';

/** Where a canister is served, as the first thing of its page: picture, address and copy. Nothing for one that serves nothing. */
export function SiteCard({ canister }: { canister: Canister }) {
  const takesPictures = usePublicConfig()?.pictures === true;
  const url = useSite(canister);
  if (url === undefined) return null;
  return (
    <Card aria-label="Website" className="@container animate-entrance">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5 @max-[560px]:px-4 @max-[560px]:py-3">
        {(takesPictures || canister.picture !== null) && (
          <SiteThumb picture={canister.picture} className="w-24 @min-[560px]:w-48 @min-[720px]:w-64" />
        )}
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="text-sm text-muted">Website</h2>
          <span className="flex min-w-0 items-center gap-1">
            <SiteLink url={url} isLarge />
            <CopyButton text={url} label="Copy address" />
          </span>
          {takesPictures && <TakePicture canisterId={canister.id} />}
        </div>
      </div>
    </Card>
  );
}

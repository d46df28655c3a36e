import type { Canister } from '@cannery/contract';
import { ExternalLink } from 'lucide-react';
import { buttonClass, type ButtonSize } from '../../../components/ui/button.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { shownAddress, siteAddress } from '../../../lib/text/site-address.ts';
import { SiteThumb } from './site-thumb.tsx';
import { away } from '../../../lib/browser/away.ts';

/** What tells where a canister of the user is served. */
type Served = Pick<Canister, 'id' | 'serves_http'>;

/** Where a canister is served; undefined for one that is not known to answer HTTP. */
export function useSite({ id, serves_http: serves }: Served): string | undefined {
  const config = usePublicConfig();
  return serves && id !== '' ? siteAddress(config, id) : undefined;
}

/** The button that opens what a canister serves; nothing for one that serves nothing. */
export function OpenButton({ canister, size = 'small' }: { canister: Served; size?: ButtonSize }) {
  const url = useSite(canister);
  if (url === undefined) return null;
  return (
    <a href={url} {...away} title={url} className={buttonClass({ size })}>
      Open
      <ExternalLink className="size-3.5 text-muted" aria-hidden="true" />
      <span className="sr-only">{shownAddress(url)}</span>
    </a>
  );
}

/** The same with its address in a line beneath the name of a canister, with its picture where there is one. */
export function OpenLine({ canister, picture }: { canister: Served; picture?: string | null | undefined }) {
  const url = useSite(canister);
  if (url === undefined) return null;
  return (
    <span className="flex max-w-full items-center gap-1.5 text-sm">
      {picture != null && <SiteThumb picture={picture} className="w-10" />}
      <a
        href={url}
        {...away}
        title={url}
        className="inline-flex min-h-6 min-w-0 items-center gap-1 text-accent hover:underline"
      >
        Open
        <ExternalLink className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="sr-only">{shownAddress(url)}</span>
      </a>
      <CopyButton text={url} label="Copy address" />
    </span>
  );
}

import type { Deploy, DeployInstance, PublicConfig } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { buttonClass } from '../../../components/ui/button.tsx';
import { CandidLink } from '../../../components/ui/candid-link.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { SiteLink } from '../../../components/ui/site-link.tsx';
import { paths } from '../../../config/paths.ts';
import { classNames } from '../../../lib/class-names.ts';
import { ago } from '../../../lib/text/formats.ts';
import { siteAddress } from '../../../lib/text/site-address.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { namedSite } from '../api/site-address.ts';
import { SitePicture } from './site-picture.tsx';

interface SiteAddressProps {
  readonly canisterId: string;
  readonly config: PublicConfig;
  readonly picture: string | null;
  /** Where it is by its name, if it has one. */
  readonly named: string | undefined;
  /** Whether the deploy has no other. */
  readonly isOnly: boolean;
}

/** A website's address by its name. */
function NamedAddress({ address }: { address: string }) {
  return (
    <span className="flex min-w-0 basis-full items-center gap-x-3">
      <SiteLink url={address} />
      <CopyButton text={address} label="Copy address" onCopied={() => toast.tell('deploy: module copied')} />
    </span>
  );
}

function SiteAddress({ canisterId, config, picture, named, isOnly }: SiteAddressProps) {
  const url = siteAddress(config, canisterId);
  return (
    <li className="flex gap-4 p-5 @min-[560px]:items-center @min-[560px]:gap-6">
      <SitePicture
        picture={picture}
        url={url}
        className={
          isOnly ? 'w-24 self-start @min-[560px]:w-48 @min-[720px]:w-64' : 'w-24 self-start @min-[560px]:w-40'
        }
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 items-center gap-1">
          <SiteLink url={url} isLarge />
          <CopyButton text={url} label="Copy URL" onCopied={() => toast.tell('deploy: module copied')} />
        </span>
        {named !== undefined && <NamedAddress address={named} />}
        <span
          className={classNames(
            'flex flex-wrap items-center gap-x-4',
            isOnly ? '@min-[560px]:basis-full @min-[560px]:pt-2' : 'ml-auto max-sm:ml-0',
          )}
        >
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ size: 'small', className: 'max-sm:hidden' })}
          >
            Visit
            <ExternalLink className="size-3.5" aria-hidden="true" />
          </a>
          <Link
            to={paths.canister}
            params={{ id: canisterId }}
            className="text-sm text-muted hover:text-ink hover:underline"
          >
            Canister details
          </Link>
        </span>
      </div>
    </li>
  );
}

interface CodeCanisterProps {
  readonly canisterId: string;
  /** Its name in a project of several canisters. */
  readonly name: string | null;
  /** Address of the website it serves, if it serves one. */
  readonly url: string | null;
  readonly picture: string | null;
  /** Where that is by its name, if it has one. */
  readonly named: string | undefined;
}

function CodeCanister({ canisterId, name, url, picture, named }: CodeCanisterProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      {url !== null && <SitePicture picture={picture} url={url} />}
      <span className="flex min-w-0 flex-col gap-0.5">
        {name !== null && <span className="font-medium wrap-anywhere">{name}</span>}
        <IdText id={canisterId} of="canister id" />
      </span>
      <span className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
        {url !== null && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ size: 'small', variant: 'primary' })}
          >
            Visit
          </a>
        )}
        <Link to={paths.canister} params={{ id: canisterId }} className={buttonClass({ size: 'small' })}>
          Canister details
        </Link>
        <CandidLink id={canisterId} label="Candid UI" size="small" />
      </span>
      {named !== undefined && <NamedAddress address={named} />}
    </li>
  );
}

/** What is live of a deploy, in one line that is there before it is known. */
function LiveLine({ live }: { live: DeployInstance | null | undefined }) {
  return (
    <p
      data-testid="live"
      className="flex min-h-10 items-center gap-2 border-t border-line px-5 py-2 text-sm text-muted"
    >
      {live && (
        <>
          <span className="shrink-0">Live</span>
          {live.commit_id && <span className="font-mono text-[12px]">{live.commit_id.slice(0, 7)}</span>}
          <span className="min-w-0 flex-1 truncate">{live.commit_message}</span>
          {live.commit_author && (
            <span
              title={`Author: ${live.commit_author}`}
              className="max-w-32 shrink-0 truncate max-sm:hidden"
            >
              {live.commit_author}
            </span>
          )}
          <span className="shrink-0">{ago(live.created_at)}</span>
        </>
      )}
      {live === null && 'No run was successful yet.'}
    </p>
  );
}

interface DeployCanistersProps {
  readonly deploy: Deploy;
  readonly config: PublicConfig | undefined;
  /** The run whose result is live; null when there is none, undefined while that is not known. */
  readonly live: DeployInstance | null | undefined;
}

/** The canisters of a deploy, with what is live: public addresses for sites, ids and their pages for code. */
export function DeployCanisters({ deploy, config, live }: DeployCanistersProps) {
  if (deploy.canisters.length === 0) {
    return <Card className="px-5 py-4 text-muted">No canister assigned yet</Card>;
  }
  const name = namedSite(deploy, config);
  return (
    <Card>
      <ul aria-label="Canisters" className="@container divide-y divide-line">
        {deploy.canisters.map((canisterId) => {
          const part = deploy.parts.find((one) => one.canister_id === canisterId);
          const picture = part?.picture ?? null;
          const named = name?.canisterId === canisterId ? name.address : undefined;
          // Without the configuration the address of a site is not known, but its canister is.
          if (deploy.type === 'STATIC_SITE' && config) {
            const isOnly = deploy.canisters.length === 1;
            return <SiteAddress key={canisterId} {...{ canisterId, config, picture, named, isOnly }} />;
          }
          const isServed = part?.kind === 'site' || part?.serves_http === true;
          const url = (isServed ? siteAddress(config, canisterId) : undefined) ?? null;
          const shownName = deploy.canisters.length > 1 ? (part?.name ?? null) : null;
          return <CodeCanister key={canisterId} {...{ canisterId, name: shownName, url, picture, named }} />;
        })}
      </ul>
      <LiveLine live={live} />
    </Card>
  );
}

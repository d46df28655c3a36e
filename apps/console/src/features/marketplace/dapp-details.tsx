import { type Dapp, type DappVersion, webAddressOf } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { FactLine, FactLines } from '../../components/ui/fact-lines.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { RailSection } from '../../components/ui/object-page.tsx';
import { paths } from '../../config/paths.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { byteSize } from '../../lib/text/byte-size.ts';
import { fillPattern } from '../../lib/text/fill-pattern.ts';
import { shown, uploadDate } from '../../lib/text/formats.ts';
import { interfaceQuery, versionsQuery } from './api/queries.ts';
import { installsText, ratingOf } from './card/card-texts.ts';
import { StarRow } from './card/star-row.tsx';
import { OwnRating } from './rating/own-rating.tsx';

const linkClass = 'wrap-anywhere text-accent hover:underline';

/** Who uploaded a dapp and when, where its source is, and which version it has. */
export function DappFacts({ dapp }: { dapp: Dapp }) {
  const provider = usePublicConfig()?.git_provider;
  const username = dapp.user?.username;
  const account =
    username && provider ? fillPattern(provider.account_url_pattern, { owner: username }) : undefined;
  const address = webAddressOf(dapp.git_url);
  const installs = installsText(dapp.installs);
  return (
    <RailSection title="About">
      <FactLines>
        <FactLine label="Uploaded by:">
          {username ? (
            <>
              <a href={account} target="_blank" rel="noreferrer" className={linkClass}>
                @{username}
              </a>
              <Link
                to={paths.marketplace}
                search={{ by: username }}
                className="ml-3 text-sm whitespace-nowrap text-muted hover:underline"
              >
                All dapps
              </Link>
            </>
          ) : (
            shown(undefined)
          )}
        </FactLine>
        <FactLine label="Uploaded on">{uploadDate(dapp.created_at)}</FactLine>
        <FactLine label="Github URL">
          {address === undefined ? (
            shown(dapp.git_url)
          ) : (
            <a href={address} target="_blank" rel="noreferrer" className={linkClass}>
              {address}
            </a>
          )}
        </FactLine>
        <FactLine label="Version">
          <span className="tabular-nums">v{shown(dapp.version)}</span>
          {installs !== undefined && <span className="ml-3 text-sm text-muted">{installs}</span>}
        </FactLine>
        {/* A service that has no ratings says nothing of them. */}
        {dapp.ratings !== null && (
          <>
            <FactLine label="Rating">
              <span className="flex min-h-8 flex-wrap items-center gap-x-3">
                <StarRow dapp={dapp} size="size-4.5" />
                {ratingOf(dapp) === undefined && <span className="text-sm text-muted">No ratings yet</span>}
              </span>
            </FactLine>
            <OwnRating dapp={dapp}>{(rating) => <FactLine label="Your rating">{rating}</FactLine>}</OwnRating>
          </>
        )}
      </FactLines>
    </RailSection>
  );
}

/** Versions on show at first. */
const SHOWN = 5;

function CandidText({ versionId }: { versionId: string }) {
  const { data, isPending } = useQuery(interfaceQuery(versionId));
  if (isPending) return <p className="mt-2 text-sm text-muted">Reading the interface</p>;
  if (!data?.candid)
    return <p className="mt-2 text-sm text-muted">The module does not publish its interface.</p>;
  return (
    <pre
      tabIndex={0}
      className="mt-2 max-h-80 overflow-auto rounded-card border border-line bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
    >
      {data.candid}
    </pre>
  );
}

function Version({ version }: { version: DappVersion }) {
  const [open, setOpen] = useState(false);
  return (
    <li className="border-t border-line px-5 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium tabular-nums">v{version.version}</span>
        <span className="text-sm text-muted">{uploadDate(version.created_at)}</span>
        {version.size !== null && <span className="text-sm text-muted">{byteSize(version.size)}</span>}
        <span className="min-w-0 text-sm">
          <IdText id={version.identifier} of={`module hash of v${version.version}`} short="to-fit" />
        </span>
      </p>
      {version.notes !== '' && (
        <p className="mt-1 text-sm text-pretty whitespace-pre-line wrap-anywhere">{version.notes}</p>
      )}
      <details className="mt-1" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="w-fit cursor-pointer rounded-control text-sm text-muted hover:text-ink">
          Candid interface
        </summary>
        {open && <CandidText versionId={version.id} />}
      </details>
    </li>
  );
}

/** Every version of a dapp with what is new in it, its hash and its interface; nothing where the service keeps none. */
export function DappVersions({ dappId }: { dappId: string }) {
  const { data } = useQuery(versionsQuery(dappId));
  const [showsAll, setShowsAll] = useState(false);
  if (data === undefined || data.length === 0) return null;
  return (
    <Card className="animate-entrance" aria-label="Versions">
      <CardHeader title="Versions" note={data.length === 1 ? undefined : `${data.length} so far`} />
      <ul>
        {(showsAll ? data : data.slice(0, SHOWN)).map((version) => (
          <Version key={version.id} version={version} />
        ))}
      </ul>
      {data.length > SHOWN && !showsAll && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className="w-full border-t border-line px-5 py-2.5 text-left text-sm text-muted hover:text-ink"
        >
          Show all {data.length} versions
        </button>
      )}
    </Card>
  );
}

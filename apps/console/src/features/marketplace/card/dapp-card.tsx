import type { Dapp } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../components/ui/button.tsx';
import { paths } from '../../../config/paths.ts';
import { shown } from '../../../lib/text/formats.ts';
import { dappName } from '../api/dapp-state.ts';
import { DappActions } from './dapp-actions.tsx';
import { DappCover } from './dapp-cover.tsx';
import { DappIcon } from './dapp-icon.tsx';
import { installsText, shortDescription } from './card-texts.ts';
import { StarRow } from './star-row.tsx';

interface DappCardProps {
  readonly dapp: Dapp;
  /** Whether there is a place for its picture: cards beside each other are alike. */
  readonly hasCover: boolean;
}

/** A dapp in the grid of the marketplace. */
export function DappCard({ dapp, hasCover }: DappCardProps) {
  const name = dappName(dapp);
  const installs = installsText(dapp.installs);
  const username = dapp.user?.username;
  const description = dapp.description ?? '';
  const short = shortDescription(description);
  return (
    <article
      aria-label={name}
      className="flex h-full flex-col gap-3 rounded-card border border-line bg-surface p-4"
    >
      {hasCover && <DappCover dapp={dapp} />}
      <div className="flex items-start gap-3">
        <DappIcon icon={dapp.icon} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold" title={name}>
            {name}
          </h2>
          <p className="flex h-5 items-center text-sm text-muted">
            {username && (
              <Link
                to={paths.marketplace}
                search={{ by: username }}
                title={`All dapps of @${username}`}
                className="truncate rounded-control hover:text-ink hover:underline"
              >
                @{username}
              </Link>
            )}
          </p>
        </div>
        <DappActions dapp={dapp} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <span className="tabular-nums">v{shown(dapp.version)}</span>
        <StarRow dapp={dapp} />
      </p>
      <p
        className="text-sm text-pretty wrap-anywhere text-muted"
        {...(short !== description && { title: description })}
      >
        {short}
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

import { type Dapp, webAddressOf } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../config/paths.ts';
import { fillPattern } from '../../lib/text/fill-pattern.ts';
import { shown, uploadDate } from '../../lib/text/formats.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { installsText } from './card/installs-text.ts';

const linkClass = 'wrap-anywhere text-accent hover:underline';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Who uploaded a dapp and when, where its source is, and which version it has. */
export function DappFacts({ dapp }: { dapp: Dapp }) {
  const provider = usePublicConfig()?.git_provider;
  const username = dapp.user?.username;
  const account =
    username && provider ? fillPattern(provider.account_url_pattern, { owner: username }) : undefined;
  const address = webAddressOf(dapp.git_url);
  const installs = installsText(dapp.installs);
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Fact label="Uploaded by:">
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
      </Fact>
      <Fact label="Uploaded on">{uploadDate(dapp.created_at)}</Fact>
      <Fact label="Github URL">
        {address === undefined ? (
          shown(dapp.git_url)
        ) : (
          <a href={address} target="_blank" rel="noreferrer" className={linkClass}>
            {address}
          </a>
        )}
      </Fact>
      <Fact label="Version">
        <span className="tabular-nums">v{shown(dapp.version)}</span>
        {installs !== undefined && <span className="ml-3 text-sm text-muted">{installs}</span>}
      </Fact>
    </dl>
  );
}

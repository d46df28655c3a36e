import type { DappInstance } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IdText } from '../../../components/ui/id-text.tsx';
import { paths } from '../../../config/paths.ts';

/** A username, which is unique, as the way to all that this user has published. */
function PublisherLink({ username }: { username: string }) {
  return (
    <Link
      to={paths.marketplace}
      search={{ by: username }}
      className="font-medium wrap-anywhere text-ink hover:underline"
    >
      <bdi>@{username}</bdi>
    </Link>
  );
}

function Version({ version, hash }: { version: string; hash: string }): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <span className="tabular-nums">v{version}</span>
      <IdText id={hash} of={`module hash of v${version}`} short />
    </span>
  );
}

interface UpdateFactsProps {
  readonly instance: DappInstance;
  readonly update: NonNullable<DappInstance['update']>;
}

/** Whose update it is, and from which code to which. */
export function UpdateFacts({ instance, update }: UpdateFactsProps) {
  const { dapp_name: name, publisher, version, module_hash: hash } = instance;
  return (
    <>
      <dl
        aria-label="Update"
        className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 rounded-card border border-line px-4 py-3 text-sm"
      >
        <dt className="text-muted">DApp</dt>
        <dd className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </dd>
        {/* Apart from the name, which its author has chosen and which may say anything. */}
        <dt className="text-muted">Published by</dt>
        <dd>
          <PublisherLink username={publisher} />
        </dd>
        <dt className="text-muted">From</dt>
        <dd>
          <Version version={version} hash={hash} />
        </dd>
        <dt className="text-muted">To</dt>
        <dd>
          <Version version={update.version} hash={update.identifier} />
        </dd>
      </dl>
      {update.notes !== '' && (
        <section aria-label="Notes" className="text-sm">
          <h3 className="text-muted">@{publisher} says about it:</h3>
          <p className="text-pretty whitespace-pre-line wrap-anywhere">{update.notes}</p>
        </section>
      )}
    </>
  );
}

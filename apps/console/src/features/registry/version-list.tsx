import type { RegistryVersion } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { paths } from '../../config/paths.ts';
import { byteSize } from '../../lib/text/byte-size.ts';
import { tableDate } from '../../lib/text/formats.ts';
import { VersionModule } from './version-module.tsx';

/** Versions on show at first, and how many more at a time. */
const STEP = 10;

function InstalledOn({ canisters }: Pick<RegistryVersion, 'canisters'>) {
  if (canisters.length === 0) return <span className="text-muted">none of your canisters</span>;
  return (
    <ul className="flex flex-wrap gap-x-3">
      {canisters.map(({ id, name }) => (
        <li key={id} className="min-w-0">
          <Link
            to={paths.canister}
            params={{ id }}
            className="inline-block min-h-6 text-accent wrap-anywhere hover:underline"
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface VersionItemProps {
  readonly registryId: string;
  readonly version: RegistryVersion;
  readonly newest: boolean;
}

function VersionItem({ registryId, version, newest }: VersionItemProps) {
  const [open, setOpen] = useState(false);
  const { version: number, identifier, size, created_at: createdAt, canisters } = version;
  return (
    <li className="flex flex-col gap-2 border-t border-line py-4 first:border-0 first:pt-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">Version {number}</span>
        {newest && <span className="text-sm text-muted">newest</span>}
        <span className="ml-auto text-sm text-muted">{tableDate(createdAt)}</span>
      </p>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Hash</dt>
        <dd>
          <IdText id={identifier} of={`hash of version ${number}`} short />
        </dd>
        <dt className="text-muted">Size</dt>
        <dd>{byteSize(size)}</dd>
        <dt className="self-start text-muted">Installed on</dt>
        <dd>
          <InstalledOn canisters={canisters} />
        </dd>
      </dl>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="w-fit rounded-control text-sm text-accent">
          Exports and interface<span className="sr-only"> of version {number}</span>
        </summary>
        <div className="pt-2">{open && <VersionModule id={registryId} version={number} />}</div>
      </details>
    </li>
  );
}

interface VersionListProps {
  readonly registryId: string;
  /** Newest first. */
  readonly versions: readonly RegistryVersion[];
}

/** The versions of a registry with what is known of them. */
export function VersionList({ registryId, versions }: VersionListProps) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul aria-label="Versions">
        {versions.slice(0, shown).map((version, place) => (
          <VersionItem key={version.version} registryId={registryId} version={version} newest={place === 0} />
        ))}
      </ul>
      {versions.length > shown && (
        <Button size="small" className="self-start" onClick={() => setShown(shown + STEP)}>
          Show older versions
        </Button>
      )}
    </>
  );
}

import type { RegistryVersion } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
import { paths } from '../../config/paths.ts';
import { describeError } from '../../lib/api/api-error.ts';
import { byteSize } from '../../lib/text/byte-size.ts';
import { tableDate } from '../../lib/text/formats.ts';
import { registryModuleQuery } from './registries.ts';

/** Compilers add their own methods, whose names begin like this. */
const ADDED = /^canister_\w+ (?:__|@)/;

function Text({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="flex items-center justify-between gap-2 text-muted">
        {title}
        <CopyButton text={text} label={`Copy ${title}`} />
      </p>
      {/* Reached by keyboard, so that it can be scrolled. */}
      <pre
        tabIndex={0}
        aria-label={title}
        className="max-h-56 overflow-auto rounded-control border border-line bg-sunken px-3 py-2 font-mono text-xs"
      >
        {text}
      </pre>
    </div>
  );
}

/** What the module of a version tells of itself. */
function VersionModule({ id, version }: { id: string; version: number }) {
  const { data, error, isPending } = useQuery(registryModuleQuery(id, version));
  if (isPending) return <Spinner label="Checking the module" />;
  if (data === undefined) return <p className="text-sm text-bad">{describeError(error).reason}</p>;
  const { exports, candid, stable_types: stable } = data;
  const own = exports.filter((name) => !ADDED.test(name));
  return (
    <div className="flex flex-col gap-3 text-sm">
      <div>
        <p className="text-muted">Exports</p>
        <p className="max-h-32 overflow-y-auto font-mono text-xs wrap-anywhere">
          {own.length === 0 ? 'none' : own.join(', ')}
        </p>
      </div>
      {candid === null ? (
        <p className="text-muted">The module does not carry its Candid interface.</p>
      ) : (
        <Text title="Candid interface" text={candid} />
      )}
      {stable !== null && <Text title="Stable variables" text={stable} />}
    </div>
  );
}

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
        <dd className="min-w-0">
          <IdText id={identifier} of={`hash of version ${number}`} short="to-fit" />
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

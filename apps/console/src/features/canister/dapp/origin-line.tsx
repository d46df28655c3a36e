import type { Canister } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Package, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../../config/paths.ts';
import { shown } from '../../../lib/text/formats.ts';
import { ChangedOutside } from '../status/canister-status.tsx';
import { PublishedBy } from './dapp-facts.tsx';
import { InstanceVersions } from './instance-versions.tsx';
import { instancesQuery } from './instances.ts';

/** Which dapp of the marketplace was put into a canister, and by whom that is published. */
function DappLine({ canisterId }: { canisterId: string }) {
  const { data } = useQuery(instancesQuery);
  const instance = data?.find(({ canister_id: id }) => id === canisterId);
  if (instance === undefined) return null;
  return (
    <section
      aria-label="DApp"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-5 py-3 text-sm"
    >
      <Package className="size-4 text-muted max-sm:hidden" aria-hidden="true" />
      {instance.withdrawn ? (
        <span className="font-medium wrap-anywhere">
          <bdi>{instance.dapp_name}</bdi>
        </span>
      ) : (
        <Link
          to={paths.dapp}
          params={{ id: instance.dapp_id }}
          className="font-medium wrap-anywhere text-accent hover:underline"
        >
          <bdi>{instance.dapp_name}</bdi>
        </Link>
      )}
      <InstanceVersions instance={instance}>
        <PublishedBy username={instance.publisher} />
      </InstanceVersions>
    </section>
  );
}

type Origin = NonNullable<Canister['origin']>;

/** Where code came from, as a part of a sentence. */
function sourceText({ kind, name, version, publisher }: Origin): string {
  switch (kind) {
    case 'dapp':
      return `${shown(name)} v${shown(version)}, published by @${shown(publisher)}`;
    case 'registry':
      return `the registry ${shown(name)}, version ${shown(version)}`;
    case 'run':
      return `a run of the deploy ${shown(name)}`;
    case 'file':
      return 'a file';
    case 'empty':
      return 'none';
    default:
      return 'of which the origin is not known';
  }
}

const nameClass = 'font-medium wrap-anywhere text-accent hover:underline';

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label="Origin of the code"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-5 py-3 text-sm"
    >
      {icon}
      {children}
    </section>
  );
}

/** The registry or the deploy that code came from, by the name that it had then. */
function Source({ origin: { kind, source_id: id, name } }: { origin: Origin }) {
  const text = <bdi>{shown(name)}</bdi>;
  if (id === null) return text;
  if (kind === 'registry') {
    return (
      <Link to={paths.registries} search={{ entry: id }} className={nameClass}>
        {text}
      </Link>
    );
  }
  return (
    <Link to={paths.deploy} params={{ id }} className={nameClass}>
      {text}
    </Link>
  );
}

/** Where the code of a canister came from, and whether it is still that code; nothing for a file of the user. */
export function OriginLine({ canister: { id, origin } }: { canister: Canister }) {
  if (origin === null) return null;
  if (origin.changed_outside) {
    return (
      <Line icon={<TriangleAlert className="size-4 text-warn max-sm:hidden" aria-hidden="true" />}>
        <ChangedOutside />
        <span className="min-w-0 flex-1 basis-72 text-pretty wrap-anywhere text-muted">
          The canister does not have the code that was put in here ({sourceText(origin)}). Somebody who
          controls it has changed it outside the console, so it gets no updates. Its history says when.
        </span>
      </Line>
    );
  }
  if (origin.kind === 'dapp') return <DappLine canisterId={id} />;
  if (origin.kind !== 'registry' && origin.kind !== 'run') return null;
  return (
    <Line icon={<Package className="size-4 text-muted max-sm:hidden" aria-hidden="true" />}>
      <span className="text-muted">
        {origin.kind === 'run' ? 'By a run of the deploy' : 'From the registry'} <Source origin={origin} />
        {origin.version === null ? '' : `, version ${origin.version}`}
      </span>
    </Line>
  );
}

import type { Canister, DappInstance } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Box, FileCode, Package, Rocket, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';
import { OpenButton } from '../site/open-site.tsx';
import { ChangedOutside } from '../status/canister-status.tsx';
import { CodeSource, DeployLink, type Origin, RepositoryLink } from './code-source.tsx';
import { InstanceControls } from './instance-versions.tsx';
import { instancesQuery } from './instances.ts';

const iconClass = 'size-4 text-muted max-sm:hidden';

function OriginIcon({ origin: { kind, changed_outside: isChanged } }: { origin: Origin }) {
  if (isChanged) return <TriangleAlert className="size-4 text-warn max-sm:hidden" aria-hidden="true" />;
  if (kind === 'dapp' || kind === 'registry') return <Package className={iconClass} aria-hidden="true" />;
  if (kind === 'run') return <Rocket className={iconClass} aria-hidden="true" />;
  if (kind === 'file') return <FileCode className={iconClass} aria-hidden="true" />;
  return <Box className={iconClass} aria-hidden="true" />;
}

/** The first words of the line. */
const beginnings: Readonly<Record<string, string>> = {
  dapp: 'Installed from ',
  registry: 'Installed from ',
  run: 'Installed by ',
  file: 'Installed from ',
};

/** As tall as the line is, also while it is not known what it says: on a phone it mostly takes two rows. */
const lineClass =
  'flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2 text-sm max-sm:min-h-19 md:px-5';

/** The line before its canister is known. */
export function PendingOrigin() {
  return (
    <div className={lineClass}>
      <Skeleton className="w-72 max-w-full" />
    </div>
  );
}

function Sentence({
  canister,
  instance,
}: {
  canister: Canister;
  instance: DappInstance | undefined;
}): ReactNode {
  const { origin, deploy } = canister;
  if (origin === null) return null;
  const source = <CodeSource origin={origin} deploy={deploy} withdrawn={instance?.withdrawn === true} />;
  if (origin.changed_outside) {
    return (
      <>
        Changed outside {PRODUCT_NAME}: somebody who controls the canister has replaced what was put in here (
        {source}). It gets no updates; its history says when.
      </>
    );
  }
  if (origin.kind === 'empty') return 'No code has been installed yet.';
  const beginning = beginnings[origin.kind ?? ''];
  if (beginning === undefined) return 'Nobody has said where the code came from when it was put in.';
  return (
    <>
      {beginning}
      {source}
    </>
  );
}

/**
 * Where the code of a canister came from, by what was written down when it was put in, and whether it is still that code; the
 * deploy that fills it where the code is not of one of its runs; and the way to what it serves.
 */
export function OriginLine({ canister }: { canister: Canister }) {
  const { id, origin, deploy } = canister;
  const isDapp = origin?.kind === 'dapp' && !origin.changed_outside;
  const { data } = useQuery({ ...instancesQuery, enabled: isDapp });
  const instance = isDapp ? data?.find(({ canister_id: one }) => one === id) : undefined;
  if (origin === null) return null;
  const isOfDeploy = origin.kind === 'run' && origin.source_id === deploy?.id;
  return (
    <section
      aria-label={isDapp ? 'DApp' : 'Origin of the code'}
      // Takes the focus after an installation.
      tabIndex={-1}
      data-code-of={id}
      className={lineClass}
    >
      <OriginIcon origin={origin} />
      {origin.changed_outside && <ChangedOutside />}
      <span className="min-w-0 flex-1 basis-56 text-pretty wrap-anywhere text-muted">
        <Sentence canister={canister} instance={instance} />
        {deploy !== null && !isOfDeploy && (
          <>
            {' '}
            It belongs to the deploy <DeployLink deploy={deploy} /> of <RepositoryLink deploy={deploy} />.
          </>
        )}
      </span>
      {instance && <InstanceControls instance={instance} />}
      <OpenButton canister={canister} />
    </section>
  );
}

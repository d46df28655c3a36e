import type { Canister, DappInstance } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Box, FileCode, Package, Rocket, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { RailSection } from '../../../components/ui/object-page.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';
import { OpenButton } from '../site/open-site.tsx';
import { ChangedOutside } from '../status/canister-status.tsx';
import { CodeSource, DeployLink, type Origin, RepositoryLink } from './code-source.tsx';
import { InstanceControls } from './instance-versions.tsx';
import { instancesQuery } from './instances.ts';

const iconClass = 'mt-0.5 size-4 shrink-0 text-muted';

function OriginIcon({ origin: { kind, changed_outside: isChanged } }: { origin: Origin }) {
  if (isChanged) return <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />;
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
    <RailSection title={TITLE}>
      <section
        aria-label={isDapp ? 'DApp' : 'Origin of the code'}
        // Takes the focus after an installation.
        tabIndex={-1}
        data-code-of={id}
        className="flex flex-col gap-3 text-sm"
      >
        <div className="flex gap-2">
          <OriginIcon origin={origin} />
          <div className="min-w-0 text-pretty wrap-anywhere text-muted">
            {origin.changed_outside && (
              <p className="mb-1">
                <ChangedOutside />
              </p>
            )}
            <Sentence canister={canister} instance={instance} />
            {deploy !== null && !isOfDeploy && (
              <>
                {' '}
                It belongs to the deploy <DeployLink deploy={deploy} /> of <RepositoryLink deploy={deploy} />.
              </>
            )}
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2 empty:hidden">
          <OpenButton canister={canister} />
          {instance && <InstanceControls instance={instance} />}
        </div>
      </section>
    </RailSection>
  );
}

const TITLE = 'Source';

/** The same before its canister is known, with two lines of text. */
export function PendingOrigin() {
  return (
    <RailSection title={TITLE}>
      <div className="flex flex-col gap-2 py-1">
        <Skeleton className="w-full" />
        <Skeleton className="w-2/3" />
      </div>
    </RailSection>
  );
}

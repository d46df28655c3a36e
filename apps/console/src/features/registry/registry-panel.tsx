import type { Registry } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/ui/button.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { SidePanel } from '../../components/ui/side-panel.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { isMissing } from '../../lib/api/api-error.ts';
import { shown } from '../../lib/text/formats.ts';
import { registryQuery } from '../../lib/shared/registries.ts';
import { VersionComparison } from './version-comparison.tsx';
import { VersionList } from './version-list.tsx';

function Details({ id, registry }: { id: string; registry: Registry | undefined }) {
  const { data, error, isPending, refetch } = useQuery(registryQuery(id));
  if (isPending) {
    return (
      <div role="status" aria-label="Loading versions" className="flex flex-col gap-4">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-16 w-full" />
        ))}
      </div>
    );
  }
  if (data === undefined && registry !== undefined && isMissing(error)) {
    return <p className="text-sm text-muted">This service does not list the versions of a registry.</p>;
  }
  if (data === undefined) {
    return (
      <ErrorState
        title="The versions cannot be shown."
        error={error}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      />
    );
  }
  const [newest] = data.versions;
  return (
    <>
      <VersionList registryId={id} versions={data.versions} />
      {data.versions.length > 1 && (
        <VersionComparison key={newest?.version} registryId={id} versions={data.versions} />
      )}
    </>
  );
}

interface RegistryPanelProps {
  /** Id of the opened entry; undefined closes the panel. */
  readonly id: string | undefined;
  /** Its row of the list, if it is there. */
  readonly registry: Registry | undefined;
  readonly onClose: () => void;
}

/** The versions of a registry, where they run, and what changes between them. */
export function RegistryPanel({ id, registry, onClose }: RegistryPanelProps) {
  // An entry that the address opens need not be on the page of the list.
  const { data } = useQuery({ ...registryQuery(id ?? ''), enabled: id !== undefined });
  const name = registry ? registry.name : id !== undefined ? data?.name : undefined;
  return (
    <SidePanel
      open={id !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={name === undefined ? 'Registry' : shown(name)}
    >
      {id !== undefined && (
        <div className="flex flex-1 flex-col gap-5 overflow-y-auto p-5">
          <IdText id={id} of="registry id" />
          <Details key={id} id={id} registry={registry} />
        </div>
      )}
    </SidePanel>
  );
}

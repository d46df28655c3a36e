import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Package } from 'lucide-react';
import { paths } from '../../../config/paths.ts';
import { InstanceVersions } from './instance-versions.tsx';
import { instancesQuery } from './instances.ts';
import { PublishedBy } from './published-by.tsx';

/** Which dapp of the marketplace was put into a canister, and by whom that is published. */
export function DappLine({ canisterId }: { canisterId: string }) {
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

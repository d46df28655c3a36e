import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Package } from 'lucide-react';
import { paths } from '../../../config/paths.ts';
import { InstanceVersions } from './instance-versions.tsx';
import { instancesQuery } from './instances.ts';

/** Which dapp of the marketplace a canister runs; nothing for any other code. */
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
        <span className="font-medium wrap-anywhere">{instance.dapp_name}</span>
      ) : (
        <Link
          to={paths.dapp}
          params={{ id: instance.dapp_id }}
          className="font-medium wrap-anywhere text-accent hover:underline"
        >
          {instance.dapp_name}
        </Link>
      )}
      <InstanceVersions instance={instance} />
    </section>
  );
}

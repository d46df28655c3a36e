import { useQuery } from '@tanstack/react-query';
import { Chip } from '../../../components/ui/chip.tsx';
import { canisterDetailsQuery } from '../api/queries.ts';

/** What stands beside a canister's status in a list of facts: frozen for lack of cycles, without code, or about to stop. */
export function CanisterBadges({ canisterId }: { canisterId: string }) {
  const { data } = useQuery(canisterDetailsQuery(canisterId));
  if (data === undefined || !(data.frozen || data.empty || data.status === 'stopping')) return null;
  return (
    <dd className="flex flex-wrap justify-end gap-1.5">
      {data.status === 'stopping' && (
        <Chip tone="warn" busy>
          Stopping
        </Chip>
      )}
      {data.frozen && (
        <span title="Too few cycles: calls are refused until the canister is topped up.">
          <Chip tone="bad">Frozen</Chip>
        </span>
      )}
      {data.empty && (
        <span title="No code is installed yet: calls are refused until there is some.">
          <Chip tone="neutral">Empty</Chip>
        </span>
      )}
    </dd>
  );
}

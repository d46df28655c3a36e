import type { Canister } from '@cannery/contract';
import { RefreshCw } from 'lucide-react';
import { CandidLink } from '../../components/ui/candid-link.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { serverText } from '../../lib/describe-error.ts';
import { shown } from '../../lib/formats.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { CanisterBadges } from './canister-badges.tsx';
import { useRefreshCanister } from './mutations.ts';

/** Name, id and badges of a canister, with its refresh and the way to its Candid page. */
export function CanisterHeader({ canister }: { canister: Canister }) {
  const refresh = useRefreshCanister(canister.id);
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{shown(canister.name)}</h1>
          <CanisterBadges canisterId={canister.id} />
        </div>
        <IdText id={canister.id} of="canister id" className="text-muted" />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <IconButton
          label="Refresh"
          disabled={refresh.isPending}
          onClick={() =>
            refresh.mutate(undefined, {
              onError: (failure) => toast.error(serverText(failure), { duration: toastDurations.canister }),
            })
          }
        >
          <RefreshCw className={refresh.isPending ? 'size-4 animate-spin' : 'size-4'} />
        </IconButton>
        <CandidLink id={canister.id} label="View in Candid UI" />
      </div>
    </header>
  );
}

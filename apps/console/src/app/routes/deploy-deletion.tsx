import type { Deploy } from '@cannery/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { canistersQuery } from '../../features/canister/api/queries.ts';
import {
  DeleteDeployCard,
  DeleteDeployDialog,
} from '../../features/deploy/deletion/delete-deploy-dialog.tsx';
import { deletedCanisters } from '../../features/deploy/deletion/deploy-deletion.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

/** Deletes a deploy; what its canisters hold is asked for when that is about to happen. */
export function DeployDeletion({ deploy }: { deploy: Deploy }) {
  const [open, setOpen] = useState(false);
  const canisters = useQuery({ ...canistersQuery, enabled: open });
  const returnsCycles = usePublicConfig()?.delete_returns_cycles;
  const account = useAccountRefresh();
  const navigate = useNavigate();
  const client = useQueryClient();
  const deleted = async (): Promise<void> => {
    account.balanceMoved();
    // With the deploy its settings have gone, changed or not.
    await navigate({ to: paths.canisters, ignoreBlocker: true });
    // Not while its page is there, which would ask for it again, as it does for whoever has gone back at once.
    void client.resetQueries({ queryKey: queryKeys.deploy(deploy.id) });
  };
  return (
    <>
      <DeleteDeployCard onDelete={() => setOpen(true)} />
      {open && (
        <DeleteDeployDialog
          deploy={deploy}
          canisters={deletedCanisters(deploy, canisters.data)}
          returnsCycles={returnsCycles}
          onClose={() => setOpen(false)}
          onDeleted={() => void deleted()}
        />
      )}
    </>
  );
}

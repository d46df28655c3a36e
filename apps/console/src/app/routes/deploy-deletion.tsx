import type { Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { canistersQuery } from '../../features/canister/api/queries.ts';
import {
  DeleteDeployCard,
  DeleteDeployDialog,
} from '../../features/deploy/deletion/delete-deploy-dialog.tsx';
import { deletedCanisters } from '../../features/deploy/deletion/deploy-deletion.ts';
import { useLeaveDeleted } from '../../lib/live/thing-of-page.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

/** Deletes a deploy; what its canisters hold is asked for when that is about to happen. */
export function DeployDeletion({ deploy }: { deploy: Deploy }) {
  const [open, setOpen] = useState(false);
  const canisters = useQuery({ ...canistersQuery, enabled: open });
  const returnsCycles = usePublicConfig()?.delete_returns_cycles;
  const account = useAccountRefresh();
  const leave = useLeaveDeleted();
  const deleted = (): void => {
    account.balanceMoved();
    void leave(queryKeys.deploy(deploy.id), paths.canisters);
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
          onDeleted={deleted}
        />
      )}
    </>
  );
}

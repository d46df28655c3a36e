import type { Dapp } from '@cannery/contract';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../components/ui/menu.tsx';
import { useAuth } from '../../../lib/session/auth-state.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { dappName } from '../api/dapp-state.ts';
import { useDeleteDapp } from '../api/mutations.ts';
import { DappDialog } from '../dapp-dialog/dapp-dialog.tsx';

interface DeleteDappDialogProps {
  readonly dapp: Dapp;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** Asks before a dapp leaves the marketplace. */
function DeleteDappDialog({ dapp, onClose, onDeleted }: DeleteDappDialogProps) {
  const remove = useDeleteDapp(dapp.id);
  const confirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast.tell('dapp: deleted');
        onClose();
        onDeleted?.();
      },
    });
  return (
    <ActionDialog
      onClose={onClose}
      title={`Delete ${dappName(dapp)}?`}
      description="It leaves the marketplace, and nobody can install it any more. Canisters that have it keep it."
      action="Delete"
      danger
      busy={remove.isPending}
      onAction={confirm}
    >
      {remove.isError ? <FailureNotice title="The dapp was not deleted" error={remove.error} /> : undefined}
    </ActionDialog>
  );
}

interface DappActionsProps {
  readonly dapp: Dapp;
  readonly onDeleted?: () => void;
}

/** What the uploader can do with a dapp; nothing for anybody else. */
export function DappActions({ dapp, onDeleted }: DappActionsProps) {
  const { currentUser } = useAuth();
  const [asked, setAsked] = useState<'update' | 'delete'>();
  if (!dapp.user?.username || dapp.user.username !== currentUser?.username) return null;
  const close = (): void => setAsked(undefined);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${dappName(dapp)}`} size="small">
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil />} onSelect={() => setAsked('update')}>
          Update
        </MenuItem>
        <MenuItem icon={<Trash2 />} onSelect={() => setAsked('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {asked === 'update' && <DappDialog dapp={dapp} onClose={close} />}
      {asked === 'delete' && <DeleteDappDialog dapp={dapp} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}

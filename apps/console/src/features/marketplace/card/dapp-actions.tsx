import type { Dapp } from '@cannery/contract';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../components/ui/menu.tsx';
import { useAuth } from '../../../lib/session/auth-store.ts';
import { DappDialog } from '../dapp-dialog/dapp-dialog.tsx';
import { dappName } from '../api/dapp-state.ts';
import { DeleteDappDialog } from './delete-dapp-dialog.tsx';

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

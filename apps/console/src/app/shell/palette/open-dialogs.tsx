import { useAccountRefresh } from '../../../features/account/use-account-refresh.ts';
import { InstallDialog } from '../../../features/canister/install/install-dialog.tsx';
import { TopUpDialog } from '../../../features/canister/payment/top-up-dialog.tsx';
import { RollBackDialog } from '../../../features/deploy/run/roll-back-dialog.tsx';
import type { OpenDialog } from './open-entries.ts';

/** The dialog of an action that was chosen in the palette. */
export function OpenDialogs({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  const account = useAccountRefresh();
  const onOpenChange = (open: boolean): void => {
    if (!open) onClose();
  };
  switch (dialog.kind) {
    case 'top-up':
      return (
        <TopUpDialog
          canister={dialog.canister}
          open
          onOpenChange={onOpenChange}
          onToppedUp={account.balanceMoved}
        />
      );
    case 'install':
      return (
        <InstallDialog canister={dialog.canister} onClose={onClose} onInstalled={account.balanceMoved} />
      );
    case 'roll back':
      return <RollBackDialog run={dialog.run} live={dialog.live} open onOpenChange={onOpenChange} />;
  }
}

import type { DappInstance } from '@cannery/contract';
import { ArrowUpCircle, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { ago } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { useGoBack } from './instances.ts';
import { UpgradeDialog } from './upgrade-dialog.tsx';

interface GoBackDialogProps {
  readonly instance: DappInstance;
  readonly wayBack: NonNullable<DappInstance['way_back']>;
  readonly onClose: () => void;
}

/** Asks before a canister goes back to what it was before its last upgrade. */
function GoBackDialog({ instance, wayBack, onClose }: GoBackDialogProps) {
  const back = useGoBack(instance.canister_id, wayBack.snapshot_id);
  const confirm = (): void =>
    back.mutate(undefined, {
      onSuccess: () => {
        toast.tell('dapp: went back', { text: `Back to v${wayBack.version}` });
        onClose();
      },
    });
  return (
    <ActionDialog
      onClose={onClose}
      title={`Go back to v${wayBack.version}?`}
      description={
        <>
          <b className="font-semibold text-ink">{instance.canister_name}</b> stops for a moment and gets back
          the code and data that it had before its upgrade ({ago(wayBack.taken_at)}). What it has stored since
          then is lost for good.
        </>
      }
      action="Go back"
      danger
      busy={back.isPending}
      onAction={confirm}
    >
      {back.isError && !back.isPending ? (
        <FailureNotice title="The canister did not go back" error={back.error} />
      ) : undefined}
    </ActionDialog>
  );
}

/** What is said about the version that a canister has of its dapp, and the ways to a newer one and back. */
export function InstanceControls({ instance }: { instance: DappInstance }) {
  const [asked, setAsked] = useState<'upgrade' | 'back'>();
  const { update, way_back: wayBack, withdrawn } = instance;
  const close = (): void => setAsked(undefined);
  return (
    <>
      {withdrawn && <Chip tone="neutral">No longer in the marketplace</Chip>}
      {update && <Chip tone="info">Update available: v{update.version}</Chip>}
      {update && (
        <Button size="small" onClick={() => setAsked('upgrade')}>
          <ArrowUpCircle className="size-4" aria-hidden="true" />
          Upgrade
        </Button>
      )}
      {wayBack && (
        <Button size="small" onClick={() => setAsked('back')}>
          <Undo2 className="size-4" aria-hidden="true" />
          Go back to v{wayBack.version}
        </Button>
      )}
      {asked === 'upgrade' && update && (
        // Begins again for a newer version: neither a consent nor arguments for this one hold for it.
        <UpgradeDialog key={update.identifier} instance={instance} update={update} onClose={close} />
      )}
      {asked === 'back' && wayBack && <GoBackDialog instance={instance} wayBack={wayBack} onClose={close} />}
    </>
  );
}

/** Which version of its dapp a canister has, with what `InstanceControls` adds. */
export function InstanceVersions({ instance }: { instance: DappInstance }) {
  return (
    <>
      <span className="tabular-nums">v{instance.version}</span>
      <InstanceControls instance={instance} />
    </>
  );
}

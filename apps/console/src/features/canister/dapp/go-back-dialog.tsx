import type { DappInstance } from '@cannery/contract';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { ago } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { useGoBack } from './instances.ts';

interface GoBackDialogProps {
  readonly instance: DappInstance;
  readonly wayBack: NonNullable<DappInstance['way_back']>;
  readonly onClose: () => void;
}

/** Asks before a canister goes back to what it was before its last upgrade. */
export function GoBackDialog({ instance, wayBack, onClose }: GoBackDialogProps) {
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

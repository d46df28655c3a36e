import type { DappInstance } from '@cannery/contract';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
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
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={back.isPending}
      title={`Go back to v${wayBack.version}?`}
      description={
        <>
          <b className="font-semibold text-ink">{instance.canister_name}</b> stops for a moment and gets back
          the code and data that it had before its upgrade ({ago(wayBack.taken_at)}). What it has stored since
          then is lost for good.
        </>
      }
      onSubmit={confirm}
      footer={
        <>
          <Button type="submit" variant="danger" busy={back.isPending}>
            Go back
          </Button>
          <Button disabled={back.isPending} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {back.isError && !back.isPending ? (
        <FailureNotice title="The canister did not go back" error={back.error} />
      ) : undefined}
    </Dialog>
  );
}

import { type DeployInstance, PUBLISH_ANYWAY_STEP } from '@cannery/contract';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { usePublishAnyway } from '../api/mutations.ts';

/**
 * Publishes what a run has built and was refused for its interface, after repeating what breaks.
 * @param reason why the run failed, as its log says it
 */
export function PublishAnywayButton({ run, reason }: { run: DeployInstance; reason: string }) {
  const [open, setOpen] = useState(false);
  const publish = usePublishAnyway(run);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Publish anyway
      </Button>
      <ActionDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Publish it although callers may fail?"
        description="What this run has built is published as it is. Nothing is built again; data of canisters stays."
        action="Publish"
        keep="Keep what is live"
        busy={publish.isPending}
        onAction={() => publish.mutate(undefined, { onSettled: () => setOpen(false) })}
      >
        {/* The next step of the log is the dialog itself. */}
        <p className="text-sm wrap-anywhere">{reason.replace(PUBLISH_ANYWAY_STEP, '').trim()}</p>
      </ActionDialog>
    </>
  );
}

import { type DeployInstance, PUBLISH_ANYWAY_STEP } from '@cannery/contract';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
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
      <Dialog
        open={open}
        onOpenChange={setOpen}
        locked={publish.isPending}
        title="Publish it although callers may fail?"
        description="What this run has built is published as it is. Nothing is built again; data of canisters stays."
        onSubmit={() => publish.mutate(undefined, { onSettled: () => setOpen(false) })}
        footer={
          <>
            <Button type="submit" variant="primary" busy={publish.isPending}>
              Publish
            </Button>
            <Button disabled={publish.isPending} onClick={() => setOpen(false)}>
              Keep what is live
            </Button>
          </>
        }
      >
        {/* The next step of the log is the dialog itself. */}
        <p className="text-sm wrap-anywhere">{reason.replace(PUBLISH_ANYWAY_STEP, '').trim()}</p>
      </Dialog>
    </>
  );
}

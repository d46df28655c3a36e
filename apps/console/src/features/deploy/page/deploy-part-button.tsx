import type { Deploy } from '@cannery/contract';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { DeployPartDialog } from './deploy-part-dialog.tsx';

interface DeployPartButtonProps {
  readonly deploy: Deploy;
  /** Id of the newest run, which may have created canisters. */
  readonly lastRun: string;
  readonly busy: boolean;
  readonly onTrigger: (canisters: readonly string[]) => void;
}

/** Starts a run of some canisters of a project, after asking which. */
export function DeployPartButton({ deploy, lastRun, busy, onTrigger }: DeployPartButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button disabled={busy} onClick={() => setOpen(true)}>
        <ListChecks className="size-4" aria-hidden="true" />
        Deploy a part
      </Button>
      {open && (
        <DeployPartDialog
          deploy={deploy}
          lastRun={lastRun}
          onClose={() => setOpen(false)}
          onTrigger={onTrigger}
        />
      )}
    </>
  );
}

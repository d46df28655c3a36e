import type { DeployInstance } from '@cannery/contract';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { RollBackDialog } from './roll-back-dialog.tsx';

interface RollBackButtonProps {
  readonly run: DeployInstance;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
}

/** Publishes again what an earlier run has published, after showing what changes by it. */
export function RollBackButton({ run, live }: RollBackButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="px-5 pb-4">
      <Button size="small" onClick={() => setOpen(true)}>
        <Undo2 className="size-4" aria-hidden="true" />
        Roll back to this
      </Button>
      <RollBackDialog run={run} live={live} open={open} onOpenChange={setOpen} />
    </div>
  );
}

import { useState } from 'react';
import { ActionDialog } from '../../components/ui/action-dialog.tsx';
import { FailureNotice } from '../../components/ui/failure-notice.tsx';
import { Select } from '../../components/ui/select.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { useAdvance } from './network-query.ts';
import { readSpan, spanText, spanUnits, type TypedSpan } from './spans.ts';

interface AdvanceDialogProps {
  readonly start: TypedSpan;
  readonly onClose: () => void;
  /** Hears by how much time was set ahead. */
  readonly onAdvanced: (span: string) => void;
}

/** Asks before time is set ahead, and says what that comes to. */
export function AdvanceDialog({ start, onClose, onAdvanced }: AdvanceDialogProps) {
  const [typed, setTyped] = useState(start);
  const [isSent, setIsSent] = useState(false);
  const advance = useAdvance();
  const read = readSpan(typed);
  const send = (): void => {
    setIsSent(true);
    if ('mistake' in read) return;
    advance.mutate(read.seconds, {
      onSuccess: () => {
        onAdvanced(spanText(read.seconds));
        onClose();
      },
    });
  };
  return (
    <ActionDialog
      onClose={onClose}
      title="Advance the time of the network?"
      description="Time cannot run back. It goes ahead for everybody who uses this network."
      action={'seconds' in read ? `Advance by ${spanText(read.seconds)}` : 'Advance'}
      danger
      busy={advance.isPending}
      onAction={send}
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Amount"
          inputMode="numeric"
          value={typed.amount}
          error={isSent && 'mistake' in read ? read.mistake : undefined}
          onChange={(event) => setTyped({ ...typed, amount: event.target.value })}
        />
        <Select
          label="Unit"
          options={spanUnits}
          value={typed.unit}
          onChange={(unit) => setTyped({ ...typed, unit })}
        />
      </div>
      <ul className="list-disc pl-5 text-sm text-pretty text-muted">
        <li>Timers of canisters that are due on the way fire, one after another.</li>
        <li>Canisters pay for the time that passes. Those with too few cycles freeze.</li>
        <li>Sign-ins of sites that end by then have ended. Sign-ins to the console stay.</li>
        <li>
          Agents in browsers ask the network for its time. Tools that sign by the clock of this computer, such
          as icp, are refused from then on.
        </li>
      </ul>
      {advance.isError && <FailureNotice title="Time was not set ahead." error={advance.error} />}
    </ActionDialog>
  );
}

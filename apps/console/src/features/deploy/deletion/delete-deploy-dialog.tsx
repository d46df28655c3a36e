import type { Deploy } from '@cannery/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { cyclesInT, readCycles } from '../../../lib/text/cycles.ts';
import { cutMiddle, shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { useDeleteDeploy } from '../api/mutations.ts';
import {
  chosenFate,
  cyclesTogether,
  type DeletedCanister,
  type DeletionChoice,
  nameToType,
} from './deploy-deletion.ts';
import { FateChoice } from './fate-choice.tsx';

interface DeleteDeployDialogProps {
  readonly deploy: Deploy;
  readonly canisters: readonly DeletedCanister[];
  /** Whether the cycles of a deleted canister come back; undefined when that is not known. */
  readonly returnsCycles: boolean | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function CanisterList({ canisters }: { canisters: readonly DeletedCanister[] }) {
  return (
    <ul
      aria-label="Canisters of this DApp"
      className="max-h-44 shrink-0 divide-y divide-line overflow-y-auto rounded-card border border-line bg-sunken text-sm"
    >
      {canisters.map(({ id, name, cycles }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
          <span className="min-w-0 font-medium wrap-anywhere">{shown(name)}</span>
          <span title={id} className="font-mono text-muted">
            {cutMiddle(id, 5, 3)}
          </span>
          <span className="ml-auto whitespace-nowrap tabular-nums">{cyclesInT(cycles?.toString())}</span>
        </li>
      ))}
    </ul>
  );
}

/** What is lost with the canisters, and what comes back. */
function lossText(canisters: readonly DeletedCanister[], returnsCycles: boolean | undefined): string {
  const held = cyclesTogether(canisters);
  const amount = held === undefined ? 'The cycles' : `${cyclesInT(held.toString())} of cycles`;
  if (returnsCycles === undefined) return 'Their code and data are lost for good.';
  if (!returnsCycles) return `Their code and data are lost for good. ${amount} they hold are lost, too.`;
  return `Their code and data are lost for good. ${amount} come back to your account, less what the deletion costs.`;
}

/** Asks what becomes of the canisters before a deploy is deleted. Mounted while it is open. */
export function DeleteDeployDialog({
  deploy,
  canisters,
  returnsCycles,
  onClose,
  onDeleted,
}: DeleteDeployDialogProps) {
  const remove = useDeleteDeploy(deploy.id);
  const [choice, setChoice] = useState<DeletionChoice>({ fate: undefined, typed: '' });
  const fate = chosenFate(deploy, choice);
  const busy = remove.isPending;

  const confirm = (): void => {
    if (fate === undefined || busy) return;
    remove.mutate(fate, {
      onSuccess: ({ refunded }) => {
        const hint = readCycles(refunded) ? `${cyclesInT(refunded)} came back to your account.` : undefined;
        toast.tell('deploy: deleted', { hint });
        onDeleted();
      },
    });
  };

  return (
    <ActionDialog
      onClose={onClose}
      title={`Delete ${shown(deploy.name)}?`}
      description="This cannot be undone. Its settings, its runs and their logs are deleted. The repository stays."
      action={choice.fate === 'delete' ? 'Delete DApp and canisters' : 'Delete DApp'}
      danger
      busy={busy}
      disabled={fate === undefined}
      onAction={confirm}
    >
      {canisters.length > 0 && (
        <>
          <CanisterList canisters={canisters} />
          <FateChoice
            fate={choice.fate}
            onFate={(next) => setChoice({ ...choice, fate: next })}
            disabled={busy}
            loss={lossText(canisters, returnsCycles)}
          />
        </>
      )}
      {canisters.length > 0 && choice.fate === 'delete' && (
        <TextField
          label={`Type ${nameToType(deploy)} to delete the canisters`}
          value={choice.typed}
          disabled={busy}
          onChange={(event) => setChoice({ ...choice, typed: event.target.value })}
        />
      )}
      {remove.error !== null && !busy && (
        <FailureNotice title="The DApp was not deleted" error={remove.error} />
      )}
    </ActionDialog>
  );
}

/** The end of a deploy's settings: what deletes it. */
export function DeleteDeployCard({ onDelete }: { onDelete: () => void }) {
  return (
    <Card className="flex max-w-2xl animate-entrance flex-wrap items-center justify-between gap-4 p-5">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="text-lg font-semibold">Delete this DApp</h2>
        <p className="text-sm text-pretty text-muted">
          Its settings, its runs and their logs are lost for good. You choose whether its canisters stay.
        </p>
      </div>
      <Button variant="danger" onClick={onDelete}>
        <Trash2 className="size-4" aria-hidden="true" />
        Delete DApp
      </Button>
    </Card>
  );
}

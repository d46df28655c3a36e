import {
  type Deploy,
  HEALTH_DEADLINE,
  type SnapshotChoice,
  snapshotChoiceOf,
  snapshotChoices,
} from '@cannery/contract';
import { useState } from 'react';
import { TextArea } from '../../../components/ui/text-area.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { deadlineProblem, givenHealthCall, type HealthDraft, healthDraft } from './health-call.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { SettingsCard } from './settings-card.tsx';
import { ChoiceForm } from './choice-form.tsx';

const labels: Readonly<Record<SnapshotChoice, string>> = {
  require: 'Take a snapshot, or stop',
  try: 'Take a snapshot where possible',
  off: 'Take no snapshot',
};
const options = snapshotChoices.map((value) => ({ value, label: labels[value] }));

/** How the runs of a deploy can go back; nothing where the service does not know of it. */
export function GoingBack({ deploy }: { deploy: Deploy }) {
  if (typeof deploy.snapshots !== 'string') return null;
  return (
    <>
      <Snapshots deploy={deploy} />
      <HealthCallForm deploy={deploy} />
    </>
  );
}

/** Whether a snapshot is taken before an upgrade. */
function Snapshots({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  return (
    <ChoiceForm
      title="Snapshots"
      label="Before an upgrade"
      hint="When a run fails, its canisters go back to it. It replaces the snapshot of the run before, never one of yours. It stops the canister for a moment, and costs it about 0.002 T and the memory of the snapshot."
      options={options}
      saved={snapshotChoiceOf(deploy.snapshots)}
      isSaving={save.isPending}
      save={(snapshots) => save.mutateAsync({ snapshots })}
    />
  );
}

function HealthCallForm({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const saved = healthDraft(deploy);
  const [changed, setChanged] = useState<HealthDraft>();
  const draft = changed ?? saved;
  const given = givenHealthCall(draft);
  const isDirty = JSON.stringify(given) !== JSON.stringify(givenHealthCall(saved));
  const problem = deadlineProblem(draft.deadline);
  const isValid = given === null || problem === undefined;
  const change = (fields: Partial<HealthDraft>): void => setChanged({ ...draft, ...fields });
  const several = deploy.parts.filter(({ kind }) => kind !== 'site').length > 1;

  return (
    <SettingsCard
      title="Health call"
      about={
        <>
          A run makes this call when everything is published. If it fails, every canister that the run has
          upgraded goes back to its snapshot, and the run has failed.
        </>
      }
      save="Save health call"
      beside
      draft={changed}
      isChanged={changed !== undefined}
      isDirty={isDirty}
      isValid={isValid}
      isSaving={save.isPending}
      onUndo={() => setChanged(undefined)}
      onSave={() => save.mutateAsync({ health_call: given })}
    >
      <TextField
        label="Canister"
        mono
        value={draft.canister}
        placeholder={several ? undefined : 'the only one with code'}
        hint="As it is named in the project."
        onChange={(event) => change({ canister: event.target.value })}
      />
      <TextField
        label="Method"
        mono
        value={draft.method}
        hint="Leave it empty to make no call."
        onChange={(event) => change({ method: event.target.value })}
      />
      {given !== null && (
        <>
          <TextArea
            label="Arguments of the call"
            mono
            rows={2}
            value={draft.argument}
            placeholder="()"
            onChange={(event) => change({ argument: event.target.value })}
          />
          <TextArea
            label="Expected answer"
            mono
            rows={2}
            value={draft.expected}
            placeholder="any answer"
            onChange={(event) => change({ expected: event.target.value })}
          />
          <TextField
            label="Deadline in seconds"
            inputMode="numeric"
            value={draft.deadline}
            error={problem}
            hint={`At most ${HEALTH_DEADLINE.most}. A query is repeated until then.`}
            onChange={(event) => change({ deadline: event.target.value })}
          />
        </>
      )}
    </SettingsCard>
  );
}

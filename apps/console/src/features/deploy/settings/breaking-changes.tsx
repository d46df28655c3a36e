import { type BreakingChoice, breakingChoiceOf, breakingChoices, type Deploy } from '@cannery/contract';
import { Card } from '../../../components/ui/card.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { useSaveSettings } from '../api/mutations.ts';
import { useSetting } from './save-settings.ts';

const labels: Readonly<Record<BreakingChoice, string>> = {
  publish: 'Publish, and say so in the log',
  ask: 'Ask me before anything changes',
  refuse: 'Refuse the run',
};
const options = breakingChoices.map((value) => ({ value, label: labels[value] }));

/** What a run does whose code would break callers of a canister; saved at once. */
export function BreakingChanges({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const saved = breakingChoiceOf(deploy.breaking_changes);
  const { value, isSaving, change } = useSetting(saved, (breaking_changes) =>
    save.mutateAsync({ breaking_changes }),
  );
  return (
    <Card className="max-w-2xl animate-entrance px-5 py-4">
      <Select
        label="When an interface breaks its callers"
        hint="Such as a method that is gone. A change that would lose data is always refused."
        options={options}
        value={value}
        disabled={isSaving}
        onChange={change}
      />
    </Card>
  );
}

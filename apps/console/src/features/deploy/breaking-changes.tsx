import { type BreakingChoice, breakingChoiceOf, breakingChoices, type Deploy } from '@cannery/contract';
import { Card } from '../../components/ui/card.tsx';
import { Select } from '../../components/ui/select.tsx';
import { badRequestText } from '../../lib/describe-error.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { useBreakingChanges } from './mutations.ts';

const labels: Readonly<Record<BreakingChoice, string>> = {
  publish: 'Publish, and say so in the log',
  ask: 'Ask me before anything changes',
  refuse: 'Refuse the run',
};
const options = breakingChoices.map((value) => ({ value, label: labels[value] }));

/** What a run does whose code would break callers of a canister; saved at once. */
export function BreakingChanges({ deploy }: { deploy: Deploy }) {
  const save = useBreakingChanges(deploy);
  const change = async (choice: BreakingChoice): Promise<void> => {
    try {
      await save.mutateAsync(choice);
      toast.success('Updated successfully.', { duration: toastDurations.deploy });
    } catch (failure) {
      toast.error(badRequestText(failure), { duration: toastDurations.deploy });
    }
  };
  return (
    <Card className="max-w-2xl animate-entrance px-5 py-4">
      <Select
        label="When an interface breaks its callers"
        hint="Such as a method that is gone. A change that would lose data is always refused."
        options={options}
        value={save.isPending ? save.variables : breakingChoiceOf(deploy.breaking_changes)}
        disabled={save.isPending}
        onChange={(choice) => void change(choice)}
      />
    </Card>
  );
}

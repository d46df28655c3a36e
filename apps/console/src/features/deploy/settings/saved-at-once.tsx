import { type BreakingChoice, breakingChoiceOf, breakingChoices, type Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { configQuery } from '../../../lib/shared/public-config.ts';
import { leftWithConsent } from '../api/instances.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { saveAndTell, useSetting } from './save-settings.ts';

/** Whether a push of its branch starts a run of the deploy; saved at once. */
export function DeployOnPush({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const { value, isSaving, change } = useSetting(deploy.on_push === true, (on_push) =>
    save.mutateAsync({ on_push }),
  );
  const provider = useQuery(configQuery).data?.git_provider;
  return (
    <Card className="max-w-2xl animate-entrance px-5 py-4">
      <label className="flex cursor-pointer gap-2.5">
        <input
          type="checkbox"
          checked={value}
          disabled={isSaving}
          onChange={(event) => change(event.target.checked)}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
        <span>
          <span className="font-medium">Deploy on push</span>
          <span className="block text-sm text-muted">
            A push to <span className="font-mono wrap-anywhere">{deploy.branch}</span> starts a run,{' '}
            {provider?.embedded === false
              ? `and ${provider.name} shows how it went.`
              : 'and git shows where to watch it.'}
          </span>
        </span>
      </label>
    </Card>
  );
}

interface SavedChoiceProps<T extends string> {
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  /** As the service has it. */
  readonly saved: T;
  save(value: T): Promise<unknown>;
}

/** A choice that is saved as soon as it is made. */
export function SavedChoice<T extends string>({ saved, save, ...texts }: SavedChoiceProps<T>) {
  const { value, isSaving, change } = useSetting(saved, save);
  return (
    <Card className="max-w-2xl animate-entrance px-5 py-4">
      <Select {...texts} value={value} disabled={isSaving} onChange={change} />
    </Card>
  );
}

const labels: Readonly<Record<BreakingChoice, string>> = {
  publish: 'Publish, and say so in the log',
  ask: 'Ask me before anything changes',
  refuse: 'Refuse the run',
};
const options = breakingChoices.map((value) => ({ value, label: labels[value] }));

/** What a run does whose code would break callers of a canister; saved at once. */
export function BreakingChanges({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  return (
    <SavedChoice
      label="When an interface breaks its callers"
      hint="Such as a method that is gone. A change that would lose data is always refused."
      options={options}
      saved={breakingChoiceOf(deploy.breaking_changes)}
      save={(breaking_changes) => save.mutateAsync({ breaking_changes })}
    />
  );
}

/** The canisters without which the rest of the project goes live though it needs them; each can be taken off at once. */
export function DeployWithout({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const names = leftWithConsent(deploy);
  if (names.length === 0) return null;
  return (
    <Card className="max-w-2xl animate-entrance px-5 py-4">
      <h2 className="font-medium">Deploy without</h2>
      <p className="text-sm text-muted">
        Runs leave these canisters out where they cannot be deployed, though others need them.
      </p>
      <ul className="mt-3 flex flex-col gap-2">
        {names.map((name) => (
          <li key={name} className="flex items-center gap-3">
            <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{name}</span>
            <Button
              size="small"
              disabled={save.isPending}
              aria-label={`Remove ${name}`}
              onClick={() =>
                void saveAndTell(
                  save.mutateAsync({ deploy_without: names.filter((other) => other !== name) }),
                )
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

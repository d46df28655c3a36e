import { type BreakingChoice, breakingChoiceOf, breakingChoices, type Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { configQuery } from '../../../lib/shared/public-config.ts';
import { leftWithConsent } from '../api/instances.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { SettingsCard } from './settings-card.tsx';

interface ChoiceCardProps<T> {
  readonly title: string;
  readonly about?: ReactNode;
  /** As the service has it. */
  readonly saved: T;
  readonly isSaving: boolean;
  readonly save: (value: T) => Promise<unknown>;
  /** The control, which shows a value and changes it. */
  readonly children: (value: T, change: (value: T) => void) => ReactNode;
}

/** A block of settings that is one choice. */
function ChoiceCard<T extends boolean | string>({
  title,
  about,
  saved,
  isSaving,
  save,
  children,
}: ChoiceCardProps<T>) {
  const [chosen, setChosen] = useState<T>();
  const value = chosen ?? saved;
  return (
    <SettingsCard
      title={title}
      about={about}
      draft={value}
      isChanged={value !== saved}
      isDirty={value !== saved}
      isSaving={isSaving}
      onUndo={() => setChosen(undefined)}
      onSave={() => save(value)}
    >
      {children(value, setChosen)}
    </SettingsCard>
  );
}

/** Whether a push of its branch starts a run of the deploy. */
export function DeployOnPush({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const provider = useQuery(configQuery).data?.git_provider;
  return (
    <ChoiceCard
      title="Pushes"
      saved={deploy.on_push === true}
      isSaving={save.isPending}
      save={(on_push) => save.mutateAsync({ on_push })}
    >
      {(value, change) => (
        <label className="flex cursor-pointer gap-2.5">
          <input
            type="checkbox"
            checked={value}
            disabled={save.isPending}
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
      )}
    </ChoiceCard>
  );
}

interface ChoiceFormProps<T extends string> {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  /** As the service has it. */
  readonly saved: T;
  readonly isSaving: boolean;
  save(value: T): Promise<unknown>;
}

/** A setting that is one value of a list. */
export function ChoiceForm<T extends string>({ label, hint, options, ...card }: ChoiceFormProps<T>) {
  return (
    <ChoiceCard {...card}>
      {(value, change) => (
        <Select
          label={label}
          hint={hint}
          options={options}
          value={value}
          disabled={card.isSaving}
          onChange={change}
        />
      )}
    </ChoiceCard>
  );
}

const labels: Readonly<Record<BreakingChoice, string>> = {
  publish: 'Publish, and say so in the log',
  ask: 'Ask me before anything changes',
  refuse: 'Refuse the run',
};
const options = breakingChoices.map((value) => ({ value, label: labels[value] }));

/** What a run does whose code would break callers of a canister. */
export function BreakingChanges({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  return (
    <ChoiceForm
      title="Interfaces"
      label="When an interface breaks its callers"
      hint="Such as a method that is gone. A change that would lose data is always refused."
      options={options}
      saved={breakingChoiceOf(deploy.breaking_changes)}
      isSaving={save.isPending}
      save={(breaking_changes) => save.mutateAsync({ breaking_changes })}
    />
  );
}

/** The canisters without which the rest of the project goes live though it needs them; each can be taken off. */
export function DeployWithout({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const saved = leftWithConsent(deploy);
  const [taken, setTaken] = useState<readonly string[]>([]);
  const names = saved.filter((name) => !taken.includes(name));
  if (saved.length === 0) return null;
  const isDirty = names.length < saved.length;
  return (
    <SettingsCard
      title="Deploy without"
      about="Runs leave these canisters out where they cannot be deployed, though others need them."
      draft={taken}
      isChanged={isDirty}
      isDirty={isDirty}
      isSaving={save.isPending}
      onUndo={() => setTaken([])}
      onSave={() => save.mutateAsync({ deploy_without: [...names] })}
    >
      <ul className="flex flex-col gap-2">
        {saved.map((name) => (
          <li key={name} className="flex items-center gap-3">
            <span
              className={`min-w-0 flex-1 font-mono text-sm wrap-anywhere ${names.includes(name) ? '' : 'text-muted line-through'}`}
            >
              {name}
            </span>
            {names.includes(name) && (
              <Button
                size="small"
                disabled={save.isPending}
                aria-label={`Remove ${name}`}
                onClick={() => setTaken([...taken, name])}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
    </SettingsCard>
  );
}

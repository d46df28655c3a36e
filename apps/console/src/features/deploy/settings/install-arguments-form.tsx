import type { Deploy, InstallArgumentText } from '@cannery/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { TextArea } from '../../../components/ui/text-area.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { useSaveSettings } from '../api/mutations.ts';
import { SettingsCard } from './settings-card.tsx';

/** A line of the form: a canister of the project and its arguments. */
interface ArgumentRow {
  readonly canister: string;
  readonly argument: string;
  /** Whether the name can be changed: a canister that no run has named yet. */
  readonly isNew: boolean;
}

/** The arguments as they are saved, with an empty line for each other canister of code. */
export function argumentRows(deploy: Deploy): ArgumentRow[] {
  const saved = new Map(
    deploy.install_arguments.flatMap(({ canister, argument }) =>
      canister === null ? [] : [[canister, argument ?? '']],
    ),
  );
  const known = deploy.parts.flatMap(({ name, kind }) => (name === null || kind === 'site' ? [] : [name]));
  const names = [...new Set([...known, ...saved.keys()])];
  return names.map((canister) => ({ canister, argument: saved.get(canister) ?? '', isNew: false }));
}

/** The lines that say something, as the update call takes them. */
export function givenArguments(rows: readonly ArgumentRow[]): InstallArgumentText[] {
  return rows
    .map(({ canister, argument }) => ({ canister: canister.trim(), argument: argument.trim() }))
    .filter(({ canister, argument }) => canister !== '' && argument !== '');
}

/** The block of a deploy's settings for the arguments that its canisters are installed with. */
export function InstallArgumentsForm({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const saved = argumentRows(deploy);
  const [changed, setChanged] = useState<readonly ArgumentRow[]>();
  const rows = changed ?? saved;
  const isDirty = JSON.stringify(givenArguments(rows)) !== JSON.stringify(givenArguments(saved));

  const change = (at: number, fields: Partial<ArgumentRow>): void =>
    setChanged(rows.map((row, index) => (index === at ? { ...row, ...fields } : row)));

  return (
    <SettingsCard
      title="Install arguments"
      about={
        <>
          Candid text, such as <code className="font-mono">(&quot;Ada&quot;, 5)</code>. They override the
          arguments that the project gives. Leave a field empty to use those of the project.
        </>
      }
      save="Save arguments"
      draft={changed}
      isChanged={changed !== undefined}
      isDirty={isDirty}
      isSaving={save.isPending}
      onUndo={() => setChanged(undefined)}
      onSave={() => save.mutateAsync({ install_arguments: givenArguments(rows) })}
    >
      {rows.map((row, at) => (
        // Lines are only ever added at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="flex flex-col gap-2">
          {row.isNew && (
            <TextField
              label="Canister name"
              mono
              value={row.canister}
              hint="As it is named in the project."
              onChange={(event) => change(at, { canister: event.target.value })}
            />
          )}
          <TextArea
            label={row.isNew ? 'Arguments' : `Arguments of ${row.canister}`}
            mono
            value={row.argument}
            onChange={(event) => change(at, { argument: event.target.value })}
          />
        </div>
      ))}
      <Button
        className="self-start"
        onClick={() => setChanged([...rows, { canister: '', argument: '', isNew: true }])}
      >
        <Plus className="size-4" aria-hidden="true" />
        Add canister
      </Button>
    </SettingsCard>
  );
}

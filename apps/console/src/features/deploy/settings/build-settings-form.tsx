import { type Deploy, isRootDirectory, VARIABLES_LIMIT } from '@cannery/contract';
import { Plus, X } from 'lucide-react';
import { type ClipboardEvent, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { TextArea } from '../../../components/ui/text-area.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import {
  givenVariables,
  isSecretByName,
  pastedVariables,
  type VariableRow,
  variableProblem,
  variableRows,
} from './build-settings.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { SettingsCard } from './settings-card.tsx';

const EMPTY: VariableRow = { name: '', value: '', secret: false, isKept: false };

/** The block of a deploy's settings for where its project lies and what the commands of its builds get. */
export function BuildSettingsForm({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const saved = { root: deploy.root_directory ?? '', rows: variableRows(deploy) };
  const [changed, setChanged] = useState<typeof saved>();
  const { root, rows } = changed ?? saved;
  const hasCommands = deploy.type !== 'MOTOKO';
  const given = givenVariables(rows);
  const isDirty =
    root.trim() !== saved.root || JSON.stringify(given) !== JSON.stringify(givenVariables(saved.rows));
  const problems = rows.map((row) => variableProblem(row, rows));
  const rootProblem = isRootDirectory(root) ? undefined : 'A folder of the repository, such as apps/web.';
  const isValid = rootProblem === undefined && problems.every((problem) => problem === undefined);

  const setRows = (next: readonly VariableRow[]): void => setChanged({ root, rows: [...next] });
  const change = (at: number, fields: Partial<VariableRow>): void =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...fields } : row)));
  const rename = (at: number, row: VariableRow, name: string): void =>
    change(at, { name, ...(row.value === '' && !row.isKept && { secret: isSecretByName(name) }) });
  const paste = (at: number, event: ClipboardEvent): void => {
    const pasted = pastedVariables(event.clipboardData.getData('text'));
    if (pasted.length === 0) return;
    event.preventDefault();
    setRows([...rows.slice(0, at), ...pasted, ...rows.slice(at + 1)]);
  };

  return (
    <SettingsCard
      title="Build"
      label="Build settings"
      note="Takes effect with the next run."
      draft={changed}
      isChanged={changed !== undefined}
      isDirty={isDirty}
      isValid={isValid}
      isSaving={save.isPending}
      onUndo={() => setChanged(undefined)}
      onSave={() =>
        save.mutateAsync({ root_directory: root.trim(), ...(hasCommands && { variables: given }) })
      }
    >
      <TextField
        label="Root directory"
        mono
        value={root}
        placeholder="the whole repository"
        hint="The folder of the project in a repository with several. Commands run there."
        error={rootProblem}
        onChange={(event) => setChanged({ root: event.target.value, rows: [...rows] })}
      />
      {hasCommands && (
        <fieldset className="flex flex-col gap-3">
          <legend className="text-sm font-medium">Variables</legend>
          <p className="text-sm text-muted">
            The commands of the build get them. A secret is kept sealed, is never shown again and is hidden in
            logs. You can paste a whole .env file as the name of one.
          </p>
          {rows.map((row, at) => (
            <div
              // A line has no other identity than its place.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-2 border-t border-line pt-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
            >
              <TextField
                label="Variable"
                mono
                value={row.name}
                readOnly={row.isKept}
                error={problems[at]}
                onChange={(event) => rename(at, row, event.target.value)}
                onPaste={(event) => paste(at, event)}
              />
              <div className="col-span-2 row-start-2 flex flex-col gap-2 sm:col-span-1 sm:row-start-auto">
                <TextArea
                  label="Value"
                  mono
                  rows={row.value.includes('\n') ? 3 : 1}
                  value={row.value}
                  placeholder={row.isKept ? 'kept; type to replace it' : undefined}
                  onChange={(event) => change(at, { value: event.target.value })}
                />
                <label className="flex w-fit cursor-pointer items-center gap-2 text-sm">
                  <input
                    type="checkbox"
                    checked={row.secret}
                    disabled={row.isKept && row.value === ''}
                    onChange={(event) => change(at, { secret: event.target.checked })}
                    className="size-4 accent-accent"
                  />
                  Secret
                </label>
              </div>
              <IconButton
                label={row.name === '' ? 'Remove this variable' : `Remove ${row.name}`}
                className="mt-6.5 max-sm:col-start-2 max-sm:row-start-1"
                onClick={() => setRows(rows.filter((_, index) => index !== at))}
              >
                <X className="size-4" aria-hidden="true" />
              </IconButton>
            </div>
          ))}
          <Button
            className="self-start"
            disabled={rows.length >= VARIABLES_LIMIT}
            onClick={() => setRows([...rows, EMPTY])}
          >
            <Plus className="size-4" aria-hidden="true" />
            Add variable
          </Button>
        </fieldset>
      )}
    </SettingsCard>
  );
}

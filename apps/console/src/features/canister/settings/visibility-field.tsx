import { settingsLimits } from '@cannery/contract';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { SystemName } from '../../../components/ui/system-name.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { typedMistake, withTyped } from './read-draft.ts';
import type { PrincipalsDraft, VisibilityDraft } from './settings-draft.ts';

interface PrincipalListProps {
  /** What one of them is, such as 'controller'. */
  readonly of: string;
  readonly list: PrincipalsDraft;
  /** The most there may be. */
  readonly most: number;
  /** What kept the form from being saved. */
  readonly error: string | undefined;
  readonly onChange: (next: PrincipalsDraft) => void;
  /** What stands behind a principal, such as who it is. */
  readonly note?: (principal: string) => ReactNode;
}

/** Principals with a way to add and remove; one is checked before it joins the list. */
export function PrincipalList({ of, list, most, error, onChange, note }: PrincipalListProps) {
  const { principals, typed } = list;
  /** What was to be added, and was wrong. */
  const [refused, setRefused] = useState<string>();
  const mistake = error ?? (refused === typed ? typedMistake(list) : undefined);

  const add = (): void => {
    const isWrong = typedMistake(list) !== undefined;
    setRefused(isWrong ? typed : undefined);
    if (!isWrong) onChange({ principals: withTyped(list), typed: '' });
  };

  return (
    <div className="flex flex-col gap-3">
      {principals.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-card border border-line">
          {principals.map((principal) => (
            <li key={principal} className="flex min-h-11 items-center gap-3 py-1 pr-2 pl-3">
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
                <IdText id={principal} of={of} />
                <SystemName id={principal} />
                {note?.(principal)}
              </span>
              <IconButton
                size="small"
                label={`Remove ${of} ${principal}`}
                onClick={() =>
                  onChange({ ...list, principals: principals.filter((other) => other !== principal) })
                }
              >
                <X className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {principals.length < most ? (
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <TextField
              label={`Add a ${of}`}
              mono
              spellCheck={false}
              placeholder="Principal"
              value={typed}
              error={mistake}
              onChange={(event) => {
                setRefused(undefined);
                onChange({ ...list, typed: event.target.value });
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // Enter would send the whole form.
                event.preventDefault();
                add();
              }}
            />
          </div>
          <Button className="mt-[26px]" disabled={typed.trim() === ''} onClick={add}>
            <Plus className="size-4" />
            Add
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">There can be at most {most}.</p>
      )}
    </div>
  );
}

const options = [
  { value: 'controllers', label: 'Controllers only' },
  { value: 'allowed_viewers', label: 'Controllers and chosen viewers' },
  { value: 'public', label: 'Everyone' },
] as const;

interface VisibilityFieldProps {
  readonly label: string;
  readonly hint: string;
  /** What one of the chosen is, such as 'log viewer'. */
  readonly viewer: string;
  readonly value: VisibilityDraft;
  /** What kept the form from being saved. */
  readonly error: string | undefined;
  readonly onChange: (next: VisibilityDraft) => void;
}

/** Who may read something besides the controllers. */
export function VisibilityField({ label, hint, viewer, value, error, onChange }: VisibilityFieldProps) {
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={label}
        hint={hint}
        options={options}
        value={value.who}
        onChange={(who) => onChange({ ...value, who })}
      />
      {value.who === 'allowed_viewers' && (
        <PrincipalList
          of={viewer}
          list={value.viewers}
          most={settingsLimits.allowedViewers}
          error={error}
          onChange={(viewers) => onChange({ ...value, viewers })}
        />
      )}
    </div>
  );
}

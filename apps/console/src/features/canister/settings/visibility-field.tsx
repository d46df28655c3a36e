import { settingsLimits } from '@cannery/contract';
import { Select } from '../../../components/ui/select.tsx';
import { PrincipalList } from './principal-list.tsx';
import type { VisibilityDraft } from './settings-draft.ts';

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
  readonly onChange: (next: VisibilityDraft) => void;
}

/** Who may read something besides the controllers. */
export function VisibilityField({ label, hint, viewer, value, onChange }: VisibilityFieldProps) {
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
          principals={value.viewers}
          most={settingsLimits.allowedViewers}
          onChange={(viewers) => onChange({ ...value, viewers })}
        />
      )}
    </div>
  );
}

import { settingsLimits } from '@cannery/contract';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { controlClass } from '../../../components/ui/field.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import type { SettingsMistakes } from './read-draft.ts';
import { type VariableDraft, withVariable } from './settings-draft.ts';

interface EnvironmentFieldProps {
  readonly variables: readonly VariableDraft[];
  readonly mistakes: SettingsMistakes;
  readonly onChange: (next: readonly VariableDraft[]) => void;
}

/** Names and values the canister's code can read. */
export function EnvironmentField({ variables, mistakes, onChange }: EnvironmentFieldProps) {
  const note = useId();
  const replace = (next: VariableDraft): void =>
    onChange(variables.map((variable) => (variable.key === next.key ? next : variable)));
  return (
    <div className="flex flex-col items-start gap-3">
      {variables.length > 0 && (
        <ul className="flex w-full flex-col gap-3">
          {variables.map((variable, index) => {
            const mistake = mistakes.get(`environment_variables/${variable.key}`);
            const shared = {
              autoComplete: 'off',
              spellCheck: false,
              'aria-invalid': mistake !== undefined || undefined,
              'aria-describedby': mistake === undefined ? undefined : `${note}-${variable.key}`,
              className: controlClass('h-9 min-w-0 flex-1 font-mono text-sm'),
            };
            return (
              <li key={variable.key}>
                <span className="flex items-center gap-2">
                  <input
                    {...shared}
                    aria-label={`Name of variable ${index + 1}`}
                    placeholder="NAME"
                    value={variable.name}
                    onChange={(event) => replace({ ...variable, name: event.target.value })}
                  />
                  <input
                    {...shared}
                    aria-label={`Value of variable ${index + 1}`}
                    placeholder="value"
                    value={variable.value}
                    onChange={(event) => replace({ ...variable, value: event.target.value })}
                  />
                  <IconButton
                    size="small"
                    label={`Remove variable ${index + 1}`}
                    onClick={() => onChange(variables.filter(({ key }) => key !== variable.key))}
                  >
                    <X className="size-4" />
                  </IconButton>
                </span>
                {mistake !== undefined && (
                  <p id={`${note}-${variable.key}`} role="alert" className="mt-1.5 text-sm text-bad">
                    {mistake}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Button
        size="small"
        disabled={variables.length >= settingsLimits.environmentVariables}
        onClick={() => onChange(withVariable(variables))}
      >
        <Plus className="size-4" />
        Add variable
      </Button>
    </div>
  );
}

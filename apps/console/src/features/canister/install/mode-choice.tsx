import type { InstallMode } from '@cannery/contract';
import { classNames } from '../../../lib/class-names.ts';

interface ModeChoiceProps {
  readonly mode: InstallMode;
  readonly onMode: (mode: InstallMode) => void;
  readonly disabled: boolean;
}

const choices = [
  { mode: 'upgrade', label: 'Upgrade', note: 'Keeps the data that the code keeps.' },
  { mode: 'reinstall', label: 'Re-Install', note: 'Erases all data of the canister.' },
] as const;

/** How code replaces code: by an upgrade or from scratch. */
export function ModeChoice({ mode, onMode, disabled }: ModeChoiceProps) {
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Mode</legend>
      <div className="grid grid-cols-2 gap-2">
        {choices.map((choice) => (
          <label
            key={choice.mode}
            className={classNames(
              'flex cursor-pointer gap-2.5 rounded-card border px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              choice.mode !== mode && 'border-line hover:border-control',
              choice.mode === mode &&
                (mode === 'reinstall' ? 'border-bad bg-bad-soft' : 'border-accent bg-accent-soft'),
            )}
          >
            <input
              type="radio"
              name="mode"
              value={choice.mode}
              checked={choice.mode === mode}
              onChange={() => onMode(choice.mode)}
              className="mt-1 size-3.5 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{choice.label}</span>
              <span className="block text-sm text-muted">{choice.note}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

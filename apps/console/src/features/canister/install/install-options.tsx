import type { InstallMode } from '@cannery/contract';
import type { ReactNode } from 'react';
import { Notice } from '../../../components/ui/notice.tsx';
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

/** How an upgrade is done where it differs from the usual. */
export interface UpgradeChoice {
  /** Undefined leaves it to what the module asks for. */
  readonly keepMemory: boolean | undefined;
  readonly skipPreUpgrade: boolean;
}

export const usualUpgrade: UpgradeChoice = { keepMemory: undefined, skipPreUpgrade: false };

interface OptionProps {
  readonly label: string;
  readonly note: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children?: ReactNode;
}

function Option({ label, note, checked, onChange, children }: OptionProps) {
  return (
    <div className="flex flex-col gap-2">
      <label className="flex cursor-pointer gap-2.5">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        <span>
          <span className="block font-medium">{label}</span>
          <span className="block text-sm text-muted">{note}</span>
        </span>
      </label>
      {children}
    </div>
  );
}

interface UpgradeOptionsProps {
  /** What the module asks for. */
  readonly keepsMemory: boolean;
  readonly choice: UpgradeChoice;
  readonly disabled: boolean;
  readonly onChoice: (next: UpgradeChoice) => void;
}

/** Options of an upgrade; preset to what the module asks for, which is right nearly always. */
export function UpgradeOptions({ keepsMemory, choice, disabled, onChoice }: UpgradeOptionsProps) {
  const keep = choice.keepMemory ?? keepsMemory;
  return (
    <details className="rounded-card border border-line px-4 py-3">
      <summary className="rounded-control font-medium">Upgrade options</summary>
      <fieldset disabled={disabled} aria-label="Upgrade options" className="mt-3 flex flex-col gap-3">
        <Option
          label="Keep main memory"
          note={
            keepsMemory
              ? 'The module is built for it: Motoko with enhanced orthogonal persistence.'
              : 'The module is not built for it: its data lives in stable memory.'
          }
          checked={keep}
          onChange={(checked) =>
            onChoice({ ...choice, keepMemory: checked === keepsMemory ? undefined : checked })
          }
        >
          {keepsMemory && !keep && <Notice tone="warn" title="All data in main memory is erased." />}
        </Option>
        <Option
          label="Skip pre_upgrade"
          note="Does not run what the installed code does before an upgrade."
          checked={choice.skipPreUpgrade}
          onChange={(skipPreUpgrade) => onChoice({ ...choice, skipPreUpgrade })}
        >
          {choice.skipPreUpgrade && (
            <Notice tone="warn" title="What pre_upgrade would save is lost for good.">
              <p>Use it only when pre_upgrade itself fails and the canister cannot be upgraded otherwise.</p>
            </Notice>
          )}
        </Option>
      </fieldset>
    </details>
  );
}

interface RestartChoiceProps {
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Tells that the canister is stopped for the action, and asks whether it runs again afterwards. */
export function RestartChoice({ checked, disabled, onChange }: RestartChoiceProps) {
  return (
    <div className="rounded-card border border-line bg-sunken px-4 py-3">
      <p className="text-sm">
        The canister runs. It must be stopped for this and answers no calls meanwhile; open calls are finished
        first.
      </p>
      <label className="mt-2 flex cursor-pointer items-center gap-2 text-sm font-medium">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 accent-accent"
        />
        Start it again afterwards
      </label>
    </div>
  );
}

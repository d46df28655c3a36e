import type { Registry } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Picker } from '../../components/ui/picker.tsx';
import { cutMiddle } from '../../lib/cut-middle.ts';
import { shown } from '../../lib/formats.ts';
import { registriesQuery } from '../../lib/registries.ts';

interface RegistryPickerProps {
  readonly label: string;
  readonly hint?: string;
  /** Id of the chosen entry. */
  readonly chosen: string | undefined;
  readonly onChoose: (registry: Registry | undefined) => void;
  readonly disabled: boolean;
}

/** One of the user's registries, or none; nothing at all for a user who has none. */
export function RegistryPicker({ label, hint, chosen, onChoose, disabled }: RegistryPickerProps) {
  const { data } = useQuery(registriesQuery);
  const options = useMemo(
    () =>
      (data ?? []).map(({ id, name, wasm_identifier: identifier }) => ({
        value: id,
        label: shown(name),
        note: cutMiddle(identifier ?? '', 5, 3),
      })),
    [data],
  );
  if (options.length === 0) return null;
  return (
    <Picker
      label={label}
      hint={hint}
      placeholder="Choose a registry"
      nothingFits="No registry has this name."
      options={options}
      value={chosen}
      disabled={disabled}
      onChange={(id) => onChoose(data?.find((registry) => registry.id === id))}
    />
  );
}

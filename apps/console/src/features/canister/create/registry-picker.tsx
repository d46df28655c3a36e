import type { Registry } from '@cannery/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Picker, type PickerOption } from '../../../components/ui/picker.tsx';
import { cutMiddle, shown } from '../../../lib/text/formats.ts';
import { registriesQuery } from '../../../lib/shared/registries.ts';
import { useSettled } from '../../../lib/browser/use-settled.ts';

interface RegistryPickerProps {
  readonly label: string;
  readonly hint?: string;
  /** Id of the chosen entry. */
  readonly chosen: string | undefined;
  readonly onChoose: (registry: Registry | undefined) => void;
  readonly disabled: boolean;
}

/** Entries that are offered at a time; typing finds the others. */
const OFFERED = 25;
/** A name is searched for once typing pauses; milliseconds. */
const SEARCH_SETTLES_MS = 150;

function optionOf({ id, name, wasm_identifier: identifier }: Registry): PickerOption {
  return { value: id, label: shown(name), note: cutMiddle(identifier ?? '', 5, 3) };
}

/** One of the user's registries, or none; nothing at all for a user who has none. */
export function RegistryPicker({ label, hint, chosen, onChoose, disabled }: RegistryPickerProps) {
  const [typed, setTyped] = useState('');
  const search = useSettled(typed, SEARCH_SETTLES_MS);
  const first = { search: '', sorting: undefined, page: 0, size: OFFERED };
  const { data: newest } = useQuery(registriesQuery(first));
  const { data: found } = useQuery({
    ...registriesQuery({ ...first, search }),
    placeholderData: keepPreviousData,
  });
  const [last, setLast] = useState<Registry>();
  if (newest === undefined || newest.total === 0) return null;
  const offered = (typed === '' ? newest : found)?.registries ?? [];
  return (
    <Picker
      label={label}
      hint={hint}
      placeholder="Choose a registry"
      nothingFits="No registry has this name."
      options={offered.map(optionOf)}
      chosen={last?.id === chosen ? last && optionOf(last) : undefined}
      value={chosen}
      disabled={disabled}
      onSearch={setTyped}
      onChange={(id) => {
        const registry = offered.find((one) => one.id === id);
        setLast(registry);
        onChoose(registry);
      }}
    />
  );
}

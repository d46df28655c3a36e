import type { Registry } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Picker } from '../../../components/ui/picker.tsx';
import { tableDate } from '../../../lib/text/formats.ts';
import { registryQuery } from '../../../lib/shared/registries.ts';

interface VersionPickerProps {
  readonly registry: Registry;
  readonly onChoose: (identifier: string, version: number) => void;
  readonly disabled: boolean;
}

/** Which version of a registry is installed: the newest, unless an earlier one is chosen. Nothing where there is only one. */
export function VersionPicker({ registry, onChoose, disabled }: VersionPickerProps) {
  const several = (registry.version ?? 1) > 1;
  const { data } = useQuery({ ...registryQuery(registry.id), enabled: several });
  const [chosen, setChosen] = useState<string>();
  if (!several) return null;
  const versions = data?.versions ?? [];
  const newest = String(registry.version);
  return (
    <Picker
      label="Version"
      placeholder={`Version ${newest}`}
      nothingFits="There is no such version."
      required
      options={versions.map(({ version, created_at: createdAt }) => ({
        value: String(version),
        label: `Version ${version}`,
        note: tableDate(createdAt).slice(0, 10),
      }))}
      value={chosen ?? newest}
      disabled={disabled}
      onChange={(number) => {
        const version = versions.find((one) => String(one.version) === number);
        if (version === undefined) return;
        setChosen(number);
        onChoose(version.identifier, version.version);
      }}
    />
  );
}

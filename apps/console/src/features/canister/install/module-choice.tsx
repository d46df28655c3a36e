import type { Registry } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Picker } from '../../../components/ui/picker.tsx';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { registryQuery } from '../../../lib/shared/registries.ts';
import { tableDate } from '../../../lib/text/formats.ts';

interface SampleChoiceProps {
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
  /** Another module is chosen already. */
  readonly disabled: boolean;
}

/** The module that comes with the product, for those who have none; nothing where a service has no such module. */
export function SampleChoice({ chosen, onChoose, disabled }: SampleChoiceProps) {
  if (usePublicConfig()?.sample_module !== true) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="small" aria-pressed={chosen} disabled={disabled} onClick={() => onChoose(!chosen)}>
        {chosen && <Check className="size-4" aria-hidden="true" />}
        Use the sample module
      </Button>
      <span className="min-w-0 flex-1 basis-56 text-sm text-muted">
        A counter written in Motoko, to try a canister out.
      </span>
    </div>
  );
}

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

import { type Deploy, formatTrillions } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TextField } from '../../../components/ui/text-field.tsx';
import { useSaveSettings } from '../api/mutations.ts';
import { deployPlanQuery } from '../api/queries.ts';
import { SettingsCard } from './settings-card.tsx';
import {
  amountProblem,
  givenAmounts,
  planSum,
  savedAmounts,
  type StartingAmounts,
} from '../api/starting-cycles.ts';

/**
 * The block of a deploy's settings for what its new canisters start with; nothing where the service does not tell which a run
 * would create, or where it would create none.
 */
export function StartingCyclesForm({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const { data: plan } = useQuery(deployPlanQuery(deploy.id, deploy.deployInstance?.id ?? ''));
  const [changed, setChanged] = useState<StartingAmounts>();
  if (plan === undefined) return null;
  const saved = savedAmounts(deploy);
  const amounts = changed ?? saved;
  const names = planSum(plan).created;
  if (names.length === 0) return null;
  const given = givenAmounts(amounts);
  const isDirty = JSON.stringify(given) !== JSON.stringify(givenAmounts(saved));
  const isValid = names.every((name) => amountProblem(amounts.get(name) ?? '', plan.creation) === undefined);
  const usual = formatTrillions(BigInt(plan.creation));

  return (
    <SettingsCard
      title="Starting cycles"
      about={
        <>
          What canisters that are still to be created start with. The account pays it when a run creates them.
          Leave a field empty for {usual}, which is also the least.
        </>
      }
      save="Save starting cycles"
      beside
      draft={changed}
      isChanged={changed !== undefined}
      isDirty={isDirty}
      isValid={isValid}
      isSaving={save.isPending}
      onUndo={() => setChanged(undefined)}
      onSave={() => save.mutateAsync({ starting_cycles: given })}
    >
      {names.map((name) => (
        <TextField
          key={name}
          label={`${name} (T)`}
          inputMode="decimal"
          value={amounts.get(name) ?? ''}
          placeholder={usual.replace(' T', '')}
          error={amountProblem(amounts.get(name) ?? '', plan.creation)}
          onChange={(event) => setChanged(new Map(amounts).set(name, event.target.value))}
        />
      ))}
    </SettingsCard>
  );
}

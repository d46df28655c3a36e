import { type CanisterDetails, settingsLimits } from '@cannery/contract';
import { type SyntheticEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { useChangedForm } from '../../../components/unsaved/changed-forms.ts';
import { LeaveGuard } from '../../../components/unsaved/leave-guard.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';
import { classNames } from '../../../lib/class-names.ts';
import { describeError, isLost } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { useCanisterLocked } from '../api/mutations.ts';
import { amountFields, amountNames } from './amount-fields.ts';
import { EnvironmentField } from './environment-field.tsx';
import { FreezingNeed, freezingNeed } from './freezing-need.tsx';
import { GiveUpDialog } from './give-up-dialog.tsx';
import { PrincipalList, VisibilityField } from './visibility-field.tsx';
import { amountOf } from './quantity.ts';
import { QuantityField } from './quantity-field.tsx';
import { readDraft, type SettingsMistakes } from './read-draft.ts';
import {
  draftOf,
  givesUpControl,
  type SettingsDraft,
  type TypedSettings,
  withEdit,
} from './settings-draft.ts';
import { useUpdateSettings } from './use-update-settings.ts';

function Section({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-8 gap-y-4 border-t border-line px-5 py-6 first:border-t-0 md:grid-cols-[16rem_1fr]">
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 text-sm text-pretty text-muted">{note}</p>
      </div>
      <div className="flex min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
}

const sections = [
  {
    name: 'cycles',
    title: 'Cycles',
    note: 'How the canister is kept from running out, and what others pay it.',
  },
  {
    name: 'resources',
    title: 'Resources',
    note: 'What is kept for the canister, and how far it may grow.',
  },
] as const;

/** Whether a number is written to its end, so that what is wrong with it can be said while one types. */
function isWritten(text: string): boolean {
  return !/^\s*$|[.,]\s*$/.test(text);
}

/** All settings of a canister. Only what was changed is sent; taking the console off the controllers asks first. */
export function SettingsForm({ details }: { details: CanisterDetails }) {
  const { settings, id, console_principal: own } = details;
  const update = useUpdateSettings(id);
  const locked = useCanisterLocked(id);
  const form = useRef<HTMLFormElement>(null);
  // The form follows the network until something is typed; then it keeps what was typed.
  const [typed, setTyped] = useState<TypedSettings>();
  const [mistakes, setMistakes] = useState<SettingsMistakes>(new Map());
  const [refusal, setRefusal] = useState<unknown>();
  const [guarding, setGuarding] = useState(false);
  const draft = typed?.draft ?? draftOf(settings);
  // What was changed elsewhere since then is not taken back.
  const { change, mistakes: current } = readDraft(draft, typed?.base ?? settings);
  const changes = Object.keys(change).length;
  const need = freezingNeed(
    details,
    amountOf(draft.freezing_threshold, amountFields.freezing_threshold.units),
  );

  const edit = (part: Partial<SettingsDraft>): void => {
    setTyped(withEdit(typed, settings, part));
    setMistakes(new Map());
    setRefusal(undefined);
  };
  const discard = (): void => {
    setTyped(undefined);
    setMistakes(new Map());
    setRefusal(undefined);
  };

  useChangedForm({
    name: 'the settings',
    isChanged: changes > 0 || (typed !== undefined && current.size > 0),
  });

  const send = async (give_up_control: boolean): Promise<void> => {
    try {
      await update.mutateAsync({ settings: change, give_up_control });
      discard();
      toast.tell('canister: settings saved');
    } catch (failure) {
      setRefusal(failure);
      // The dialog says it, and offers to try again.
      if (give_up_control && isLost(failure)) return;
    }
    setGuarding(false);
  };

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setMistakes(current);
    if (current.size > 0) {
      // The first mistake takes the focus once it is marked.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    if (changes === 0) return;
    if (givesUpControl(change, own)) setGuarding(true);
    else void send(false);
  };

  return (
    <Card className="animate-entrance">
      <form ref={form} noValidate aria-label="Settings" onSubmit={submit}>
        {sections.map(({ name, title, note }) => (
          <Section key={name} title={title} note={note}>
            <div className="grid gap-5 lg:grid-cols-2">
              {amountNames
                .filter((field) => amountFields[field].section === name)
                .map((field) => (
                  <QuantityField
                    key={field}
                    label={amountFields[field].label}
                    hint={amountFields[field].hint}
                    units={amountFields[field].units}
                    value={draft[field]}
                    error={
                      mistakes.get(field) ?? (isWritten(draft[field].text) ? current.get(field) : undefined)
                    }
                    note={field === 'freezing_threshold' && <FreezingNeed need={need} details={details} />}
                    onChange={(value) => edit({ [field]: value })}
                  />
                ))}
            </div>
          </Section>
        ))}
        <Section title="Controllers" note="Who may change, stop and delete the canister.">
          <PrincipalList
            of="controller"
            list={draft.controllers}
            most={settingsLimits.controllers}
            error={mistakes.get('controllers')}
            onChange={(controllers) => edit({ controllers })}
            note={(principal) => principal === own && <Chip tone="info">{PRODUCT_NAME}</Chip>}
          />
        </Section>
        <Section
          title="Visibility"
          note="Who besides the controllers may read the canister's logs, snapshots and status."
        >
          <VisibilityField
            label="Logs"
            hint="What the canister prints, and its traps."
            viewer="log viewer"
            value={draft.log_visibility}
            error={mistakes.get('log_visibility')}
            onChange={(log_visibility) => edit({ log_visibility })}
          />
          <VisibilityField
            label="Snapshots"
            hint="A snapshot holds all data of the canister."
            viewer="snapshot viewer"
            value={draft.snapshot_visibility}
            error={mistakes.get('snapshot_visibility')}
            onChange={(snapshot_visibility) => edit({ snapshot_visibility })}
          />
          <VisibilityField
            label="Status"
            hint="Balance, memory, running costs and settings."
            viewer="status viewer"
            value={draft.status_visibility}
            error={mistakes.get('status_visibility')}
            onChange={(status_visibility) => edit({ status_visibility })}
          />
        </Section>
        <Section
          title="Environment variables"
          note={`Up to ${settingsLimits.environmentVariables} names and values that the canister's code can read.`}
        >
          <EnvironmentField
            variables={draft.environment_variables}
            mistakes={mistakes}
            onChange={(environment_variables) => edit({ environment_variables })}
          />
        </Section>
        <div
          data-bar={typed === undefined ? undefined : 'bottom'}
          className={classNames(
            'flex flex-wrap items-center justify-end gap-2 rounded-b-card border-t border-line bg-surface px-5 py-3',
            typed !== undefined && 'sticky bottom-(--foot)',
          )}
        >
          {refusal !== undefined && (
            <p role="alert" className="basis-full text-sm text-bad">
              {describeError(refusal).reason} {describeError(refusal).nextStep}
            </p>
          )}
          {changes > 0 && (
            <span role="status" className="mr-auto text-sm text-muted">
              {changes === 1 ? '1 setting changed' : `${changes} settings changed`}
            </span>
          )}
          <Button disabled={typed === undefined || update.isPending} onClick={discard}>
            Discard
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={(changes === 0 && current.size === 0) || locked}
            busy={update.isPending}
          >
            {isLost(refusal) ? 'Try again' : 'Save settings'}
          </Button>
        </div>
      </form>
      <GiveUpDialog
        open={guarding}
        busy={update.isPending}
        othersRemain={(change.controllers ?? settings.controllers).some((id) => id !== own)}
        onClose={() => setGuarding(false)}
        onConfirm={() => void send(true)}
      />
      <LeaveGuard />
    </Card>
  );
}

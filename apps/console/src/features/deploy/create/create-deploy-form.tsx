import {
  createDeployForm,
  type CreateDeployForm as CreateDeployFields,
  type DeployType,
  isRootDirectory,
} from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { LostNotice } from '../../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../../components/connection/use-lost-write.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { ApiError, serverText } from '../../../lib/api/api-error.ts';
import type { DeployDraft } from '../../../lib/shared/deploy-draft.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { branchAfterFetch, initialForm } from '../api/payloads.ts';
import { DeployRefusal } from './deploy-refusal.tsx';
import { RootOffers } from './root-offers.tsx';
import { useDetectedSite } from './use-detected-site.ts';
import { DraftPlan, useDraftPlan } from './deploy-plan.tsx';
import { amountsOfPlan, type StartingAmounts } from '../api/starting-cycles.ts';
import { FirstTriggerError, useCreateDeploy } from '../api/mutations.ts';

interface CreateDeployFormProps {
  readonly draft: DeployDraft;
  /** Address of a public repository of another host than the provider's. */
  readonly outsideUrl: string | undefined;
  readonly deployType: DeployType;
  /** Branches of the repository; undefined while they are on their way. */
  readonly branches: readonly { readonly name: string }[] | undefined;
  readonly onDeployed: (id: string) => void;
}

/** Asks what to deploy how, creates the deploy and triggers its first run. */
export function CreateDeployForm({
  draft,
  outsideUrl,
  deployType,
  branches,
  onDeployed,
}: CreateDeployFormProps) {
  const create = useCreateDeploy(draft, deployType, outsideUrl);
  const { register, control, handleSubmit, getValues, setValue, formState } = useForm({
    resolver: zodResolver(createDeployForm),
    defaultValues: initialForm(draft),
    mode: 'onTouched',
  });
  const { errors } = formState;
  const branch = useWatch({ control, name: 'branch' });
  const root = useDeferredValue(useWatch({ control, name: 'root_dir' })?.trim() ?? '');
  const isBranch = branches?.some(({ name }) => name === branch) === true;
  const detected = useDetectedSite({
    draft,
    outsideUrl,
    branch,
    root: isRootDirectory(root) ? root : '',
    enabled: deployType === 'STATIC_SITE' && isBranch,
    form: { getValues, setValue },
  });
  const [amounts, setAmounts] = useState<StartingAmounts>(new Map());
  const plan = useDraftPlan({
    draft,
    outsideUrl,
    deployType,
    branch,
    root: isRootDirectory(root) ? root : '',
    enabled: deployType !== 'STATIC_SITE' && isBranch,
  });
  const [hasChosenRoot, setHasChosenRoot] = useState(false);
  const chooseRoot = (folder: string): void => {
    setValue('root_dir', folder, { shouldValidate: true });
    setHasChosenRoot(true);
  };
  const open = useRef(true);
  const form = useRef<HTMLFormElement>(null);
  /** Pressed while the branches are on their way: the form is sent when they have come, with one that exists. */
  const [wasPressed, setWasPressed] = useState(false);
  const isHeld = wasPressed && branches === undefined;
  const { lost, sent } = useLostWrite({ busy: create.isPending });

  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);

  useEffect(() => {
    if (branches) setValue('branch', branchAfterFetch(getValues('branch'), branches));
  }, [branches, getValues, setValue]);

  const isThere = branches !== undefined;
  useEffect(() => {
    if (isThere && wasPressed) form.current?.requestSubmit();
  }, [isThere, wasPressed]);

  const send = async (fields: CreateDeployFields): Promise<void> => {
    if (branches === undefined) return setWasPressed(true);
    const starting = plan === undefined ? [] : amountsOfPlan(plan, amounts);
    if (starting === 'wrong') {
      return form.current?.querySelector<HTMLElement>('section [aria-invalid]')?.focus();
    }
    sent();
    try {
      const id = await create.mutateAsync({ form: fields, starting });
      // Whoever has left the form meanwhile is not pulled to another page.
      if (open.current) onDeployed(id);
    } catch (failure) {
      const text = failure instanceof FirstTriggerError ? failure.message : serverText(failure);
      const hint = failure instanceof ApiError ? failure.nextStep : undefined;
      toast.tell('deploy: not created', { text, hint });
    }
  };

  return (
    <Card className="max-w-2xl animate-entrance">
      <form ref={form} noValidate onSubmit={(event) => void handleSubmit(send)(event)}>
        <div className="flex flex-col gap-4 p-5">
          <TextField
            label="Name"
            hint="What the deploy is called in your lists"
            error={errors.name?.message}
            {...register('name')}
          />
          <Controller
            control={control}
            name="branch"
            render={({ field }) => {
              const names = branches?.map(({ name }) => name) ?? [];
              const options = names.includes(field.value) ? names : [field.value, ...names];
              return (
                <Select
                  label="Branch"
                  mono
                  hint={
                    branches?.length === 0 ? 'This repository has no branch yet; push one first.' : undefined
                  }
                  options={options.map((name) => ({ value: name, label: name }))}
                  value={field.value}
                  onChange={field.onChange}
                  onBlur={field.onBlur}
                  error={errors.branch?.message}
                />
              );
            }}
          />
          {deployType === 'STATIC_SITE' && (
            <>
              {detected !== undefined && detected.framework !== null && (
                <p role="status" className="text-sm text-muted wrap-anywhere">
                  {detected.why}.
                </p>
              )}
              {detected !== undefined && detected.advice !== null && (
                <div role="status">
                  <Notice tone="warn" title={detected.advice} />
                </div>
              )}
              <RootOffers roots={detected?.roots ?? []} onChoose={chooseRoot} />
              <TextField
                label="Build command"
                prefix="$"
                mono
                hint="For example npm run build; empty when the files are ready to serve as they are"
                error={errors.build_cmd?.message}
                {...register('build_cmd')}
              />
              <TextField
                label="Publish directory"
                mono
                hint="The folder whose files the site serves, for example dist; empty for the whole repository"
                error={errors.publish_dir?.message}
                {...register('publish_dir')}
              />
            </>
          )}
          <details className="group" open={errors.root_dir !== undefined || hasChosenRoot || undefined}>
            <summary className="w-fit cursor-pointer text-sm font-medium text-muted hover:text-ink">
              More settings
            </summary>
            <div className="pt-3">
              <TextField
                label="Root directory"
                mono
                hint="The folder of the project in a repository with several, for example apps/web; empty for the whole repository"
                error={errors.root_dir?.message}
                {...register('root_dir')}
              />
            </div>
          </details>
          {plan !== undefined && (
            <>
              <DraftPlan plan={plan} amounts={amounts} onAmounts={setAmounts} />
              <RootOffers roots={plan.roots} onChoose={chooseRoot} />
            </>
          )}
          {lost === undefined ? (
            <DeployRefusal key={create.submittedAt} failure={create.error} />
          ) : (
            <LostNotice lost={lost} />
          )}
        </div>
        <div className="flex justify-end border-t border-line px-5 py-3">
          <Button type="submit" variant="primary" disabled={create.isPending || isHeld}>
            {create.isPending || isHeld ? 'Deploying...' : lost === undefined ? 'Deploy' : 'Try again'}
          </Button>
        </div>
      </form>
    </Card>
  );
}

import {
  createDeployForm,
  type CreateDeployForm as CreateDeployFields,
  type DeployType,
  isRootDirectory,
} from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { LostNotice } from '../../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../../components/connection/use-lost-write.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { nextStepOf, saidOf, serverText } from '../../../lib/api/api-error.ts';
import type { DeployDraft } from '../../../lib/shared/deploy-draft.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { branchAfterFetch, initialForm } from '../api/payloads.ts';
import { DraftPlan, PlanSkeleton, useDraftPlan } from './deploy-plan.tsx';
import { DeployRefusal } from './deploy-refusal.tsx';
import { DraftTypeLinks } from './deploy-type-links.tsx';
import { factsOf } from './draft-facts.ts';
import { ReadingBar } from './reading-bar.tsx';
import { RootOffers } from './root-offers.tsx';
import { useDetectedSite } from './use-detected-site.ts';
import { WhatWasRead } from './what-was-read.tsx';
import { amountsOfPlan, type StartingAmounts } from '../api/starting-cycles.ts';
import { FirstTriggerError, useCreateDeploy } from '../api/mutations.ts';

interface CreateDeployFormProps {
  readonly draft: DeployDraft;
  /** Address of a public repository of another host than the provider's. */
  readonly outsideUrl: string | undefined;
  readonly deployType: DeployType;
  /** Branches of the repository, none where they could not be read; undefined while they are on their way. */
  readonly branches: readonly { readonly name: string }[] | undefined;
  /** Reads them again; there where they could not be read. */
  readonly onReadBranches: (() => void) | undefined;
  readonly onType: (type: DeployType) => void;
  readonly onDeployed: (id: string) => void;
}

/** Why there is no branch to choose. */
function noBranchHint(isUnread: boolean): ReactNode {
  return isUnread ? (
    <span role="alert">The branches could not be read.</span>
  ) : (
    'This repository has no branch yet; push one first.'
  );
}

/** Asks what to deploy how, says what was read and what it will cost, creates the deploy and triggers its first run. */
export function CreateDeployForm({
  draft,
  outsideUrl,
  deployType,
  branches,
  onReadBranches,
  onType,
  onDeployed,
}: CreateDeployFormProps) {
  const create = useCreateDeploy(draft, deployType, outsideUrl);
  const { register, control, handleSubmit, getValues, setValue, formState } = useForm({
    resolver: zodResolver(createDeployForm),
    defaultValues: { ...initialForm(draft), name: draft.name ?? draft.repo_name },
    mode: 'onTouched',
  });
  const { errors } = formState;
  const isSite = deployType === 'STATIC_SITE';
  const fields = useWatch({ control });
  const branch = fields.branch ?? '';
  const typedRoot = useDeferredValue(fields.root_dir?.trim() ?? '');
  const root = isRootDirectory(typedRoot) ? typedRoot : '';
  const isBranch = branches?.some(({ name }) => name === branch) === true;
  const source = { draft, outsideUrl, branch, root };
  const { detected, isUnknown: isUnknownSite } = useDetectedSite({
    ...source,
    enabled: isSite && isBranch,
    form: { getValues, setValue },
  });
  const [amounts, setAmounts] = useState<StartingAmounts>(new Map());
  const { plan, isUnknown } = useDraftPlan({
    ...source,
    // A site is one canister, in whatever folder its files are.
    root: isSite ? '' : root,
    deployType,
    enabled: isBranch,
  });
  const hasNoBranch = branches?.length === 0;
  const readings = {
    site: isUnknownSite || hasNoBranch ? null : detected,
    plan: isUnknown || hasNoBranch ? null : plan,
  };
  const facts = factsOf({
    deployType,
    template: draft.template,
    fields: {
      build_cmd: fields.build_cmd ?? '',
      publish_dir: fields.publish_dir ?? '',
      root_dir: fields.root_dir,
    },
    given: initialForm(draft),
    ...readings,
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
      return form.current?.querySelector<HTMLElement>('[data-plan] [aria-invalid]')?.focus();
    }
    sent();
    try {
      const id = await create.mutateAsync({ form: fields, starting });
      // Whoever has left the form meanwhile is not pulled to another page.
      if (open.current) onDeployed(id);
    } catch (failure) {
      const said =
        failure instanceof FirstTriggerError
          ? { text: failure.message, hint: saidOf(failure.cause) }
          : { text: serverText(failure), hint: nextStepOf(failure) };
      toast.tell('deploy: not created', said);
    }
  };

  return (
    <form
      ref={form}
      noValidate
      className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]"
      onSubmit={(event) => void handleSubmit(send)(event)}
    >
      <Card className="flex min-w-0 animate-entrance flex-col gap-4 p-5">
        {draft.template === undefined && (
          <div className="flex flex-col gap-1.5">
            <span className="text-sm font-medium">Type</span>
            <DraftTypeLinks current={deployType} />
          </div>
        )}
        {draft.template === undefined && <ReadingBar deployType={deployType} {...readings} onType={onType} />}
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
                hint={hasNoBranch ? noBranchHint(onReadBranches !== undefined) : undefined}
                options={options.map((name) => ({ value: name, label: name }))}
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                error={errors.branch?.message}
              />
            );
          }}
        />
        {onReadBranches !== undefined && (
          <Button size="small" className="-mt-2 self-start" onClick={onReadBranches}>
            Try again
          </Button>
        )}
        {isSite && (
          <>
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
        <RootOffers roots={(isSite ? detected : plan)?.roots ?? []} onChoose={chooseRoot} />
      </Card>
      <div className="flex min-w-0 flex-col gap-5">
        <Card data-plan="" className="animate-entrance">
          <div className="flex flex-col gap-4 p-5">
            <h2 className="text-lg font-semibold">What will happen</h2>
            <p className="text-sm text-pretty text-muted">
              {draft.template === undefined
                ? 'The branch is built and published. Nothing is created before you press Deploy.'
                : 'A copy of the template becomes your repository, and is built and published. Nothing is created before you press Deploy.'}
            </p>
            {plan !== undefined ? (
              <DraftPlan plan={plan} amounts={amounts} onAmounts={setAmounts} />
            ) : isUnknown || hasNoBranch ? (
              <p className="text-sm text-muted">What it costs cannot be told at the moment.</p>
            ) : (
              <PlanSkeleton />
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
        </Card>
        <WhatWasRead facts={facts} branch={branch} />
      </div>
    </form>
  );
}

import {
  type Deploy,
  type DeployType,
  formatTrillions,
  type ProjectPlanAnswer,
  spendableTrillions,
} from '@cannery/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Notice } from '../../../components/ui/notice.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { ApiError } from '../../../lib/api/api-error.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import type { DeployDraft } from '../../../lib/shared/deploy-draft.ts';
import { deployPlanQuery, draftPlanQuery } from '../api/queries.ts';
import { amountProblem, planSum, type StartingAmounts, sumText } from '../api/starting-cycles.ts';

interface PlannedDraft {
  readonly draft: DeployDraft;
  readonly outsideUrl: string | undefined;
  readonly deployType: DeployType;
  readonly branch: string;
  /** Folder of the project; empty for the whole repository. */
  readonly root: string;
  /** False while there is nothing to plan yet. */
  readonly enabled: boolean;
}

/** What the first run would create; undefined while that is not known, and where the service does not tell. */
export function useDraftPlan({ draft, outsideUrl, deployType, branch, root, enabled }: PlannedDraft) {
  const { owner, repo_name, isPublic, template } = draft;
  const { data, isError } = useQuery({
    ...draftPlanQuery({
      owner,
      repo_name,
      branch,
      deploy_type: deployType,
      is_public: isPublic,
      ...(outsideUrl !== undefined && { url: outsideUrl }),
      ...(root !== '' && { root_directory: root }),
      ...(template !== undefined && { template }),
    }),
    enabled,
  });
  return { plan: enabled ? data : undefined, isUnknown: isError };
}

interface DraftPlanProps {
  readonly plan: ProjectPlanAnswer;
  /** What canisters start with, as it is being entered. */
  readonly amounts: StartingAmounts;
  readonly onAmounts: (amounts: StartingAmounts) => void;
}

/** In place of a plan that is on its way, of about its height. */
export function PlanSkeleton() {
  return (
    <div role="status" aria-label="Working out what it costs" className="flex flex-col gap-4">
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-15 w-full" />
      <Skeleton className="h-19 w-full" />
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  site: 'website canister',
  motoko: 'Motoko canister',
  rust: 'Rust canister',
  module: 'canister',
};

/** What the first run would create, what that costs, and what is left. */
export function DraftPlan({ plan, amounts, onAmounts }: DraftPlanProps) {
  if (plan.problem !== null) return <Notice tone="warn" title={plan.problem} />;
  const sum = planSum(plan, amounts);
  const left = plan.canisters.filter(({ kind }) => kind === 'left');
  if (left.length > 0 && left.length === plan.canisters.length) {
    return (
      <Notice tone="warn" title="Nothing that can be deployed was found.">
        <ul className="wrap-anywhere">
          {left.map(({ name, reason }) => (
            <li key={name}>
              {name}: {reason}.
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  if (sum.created.length === 0) return <p className="text-sm text-muted">No canister is created.</p>;
  const kinds = new Map(plan.canisters.map(({ name, kind }) => [name, KINDS[kind] ?? kind]));
  const balance = BigInt(plan.balance);
  return (
    <section aria-label="What will be created" className="flex flex-col gap-4">
      <Notice tone={sum.isPayable ? 'info' : 'warn'} title={`${sumText(sum, plan)}.`}>
        {!sum.isPayable && <p>Your balance is too low, so the run will create none of them.</p>}
      </Notice>
      <ul className="flex flex-col gap-3">
        {sum.created.map((name) => (
          <li key={name}>
            <TextField
              label={`Starting cycles of ${name} (T)`}
              inputMode="decimal"
              hint={`What this ${kinds.get(name)} costs, and starts with`}
              value={amounts.get(name) ?? ''}
              placeholder={formatTrillions(BigInt(plan.creation)).replace(' T', '')}
              error={amountProblem(amounts.get(name) ?? '', plan.creation)}
              onChange={(event) => onAmounts(new Map(amounts).set(name, event.target.value))}
            />
          </li>
        ))}
      </ul>
      <dl className="flex flex-col gap-1.5 text-sm [&>div]:flex [&>div]:justify-between [&>div]:gap-4 [&_dt]:text-muted [&_dd]:tabular-nums">
        <div>
          <dt>Price</dt>
          <dd>{formatTrillions(sum.cost)}</dd>
        </div>
        <div>
          <dt>Your balance</dt>
          <dd>{spendableTrillions(balance)}</dd>
        </div>
        <div className="border-t border-line pt-1.5 font-medium">
          <dt>Balance after</dt>
          <dd className={sum.isPayable ? undefined : 'text-bad'}>
            {sum.isPayable
              ? spendableTrillions(balance - sum.cost)
              : `${formatTrillions(sum.cost - balance)} too little`}
          </dd>
        </div>
      </dl>
      {left.length > 0 && (
        <p className="text-sm text-muted wrap-anywhere">
          Not deployed: {left.map(({ name, reason }) => `${name} (${reason})`).join(', ')}.
        </p>
      )}
    </section>
  );
}

/**
 * What the next run of a deploy would create, and for how many cycles; nothing where it creates nothing, or where the service
 * does not tell.
 * @param lastRun id of the newest run, which may have created some
 */
export function NextRunPlan({ deploy, lastRun }: { deploy: Deploy; lastRun: string }) {
  const client = useQueryClient();
  const { data: plan, error } = useQuery({
    ...deployPlanQuery(deploy.id, lastRun),
    enabled: deploy.type === 'MOTOKO' || deploy.type === 'CUSTOM',
  });
  // The service has found out just now, and says so on the deploy from here on.
  const isGone = error instanceof ApiError && error.code === 'repository_deleted';
  useEffect(() => {
    if (isGone) void client.invalidateQueries({ queryKey: queryKeys.deploy(deploy.id), exact: true });
  }, [isGone, client, deploy.id]);
  if (plan === undefined) return null;
  const sum = planSum(plan);
  if (sum.created.length === 0) return null;
  return (
    <Notice tone={sum.isPayable ? 'info' : 'warn'} title={`With the next run, ${sumText(sum, plan)}.`}>
      <p className="wrap-anywhere">
        {sum.created.join(', ')}.{' '}
        {sum.isPayable
          ? 'What they start with is in the settings.'
          : 'Your balance is too low, so the run will create none of them.'}
      </p>
    </Notice>
  );
}

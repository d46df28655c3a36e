import { type DeployType, formatTrillions } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../components/ui/notice.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import type { DeployDraft } from '../../lib/deploy-draft.ts';
import { draftPlanQuery } from './queries.ts';
import { amountProblem, planSum, sumText } from './starting-cycles.ts';

interface DraftPlanProps {
  readonly draft: DeployDraft;
  readonly outsideUrl: string | undefined;
  readonly deployType: DeployType;
  readonly branch: string;
  /** Folder of the project; empty for the whole repository. */
  readonly root: string;
  /** What canisters start with, in T by their names, as it is being entered. */
  readonly amounts: Readonly<Record<string, string>>;
  readonly onAmounts: (amounts: Readonly<Record<string, string>>) => void;
}

/** What the first run would create, and for how many cycles; nothing where the service does not tell. */
export function DraftPlan({
  draft,
  outsideUrl,
  deployType,
  branch,
  root,
  amounts,
  onAmounts,
}: DraftPlanProps) {
  const { owner, repo_name, isPublic } = draft;
  const { data: plan } = useQuery(
    draftPlanQuery({
      owner,
      repo_name,
      branch,
      deploy_type: deployType,
      is_public: isPublic,
      ...(outsideUrl !== undefined && { url: outsideUrl }),
      ...(root !== '' && { root_directory: root }),
    }),
  );
  if (plan === undefined) return null;
  if (plan.problem !== null) return <Notice tone="warn" title={plan.problem} />;
  const sum = planSum(plan, amounts);
  if (sum.created.length === 0) return null;
  const left = plan.canisters.filter(({ kind }) => kind === 'left');
  return (
    <section aria-label="What will be created" className="flex flex-col gap-3">
      <Notice tone={sum.isPayable ? 'info' : 'warn'} title={`${sumText(sum, plan)}.`}>
        {!sum.isPayable && <p>Your balance is too low, so the run will create none of them.</p>}
      </Notice>
      <ul className="flex flex-col gap-3">
        {sum.created.map((name) => (
          <li key={name}>
            <TextField
              label={`Starting cycles of ${name} (T)`}
              inputMode="decimal"
              value={amounts[name] ?? ''}
              placeholder={formatTrillions(BigInt(plan.creation)).replace(' T', '')}
              error={amountProblem(amounts[name] ?? '', plan.creation)}
              onChange={(event) => onAmounts({ ...amounts, [name]: event.target.value })}
            />
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <p className="text-sm text-muted wrap-anywhere">
          Not deployed: {left.map(({ name, reason }) => `${name} (${reason})`).join(', ')}.
        </p>
      )}
    </section>
  );
}

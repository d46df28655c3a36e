import type { Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../../components/ui/notice.tsx';
import { deployPlanQuery } from '../api/queries.ts';
import { planSum, sumText } from '../api/starting-cycles.ts';

/**
 * What the next run of a deploy would create, and for how many cycles; nothing where it creates nothing, or where the service
 * does not tell.
 * @param lastRun id of the newest run, which may have created some
 */
export function NextRunPlan({ deploy, lastRun }: { deploy: Deploy; lastRun: string }) {
  const { data: plan } = useQuery({
    ...deployPlanQuery(deploy.id, lastRun),
    enabled: deploy.type === 'MOTOKO' || deploy.type === 'CUSTOM',
  });
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

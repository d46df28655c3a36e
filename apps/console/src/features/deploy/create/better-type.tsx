import type { DeployType, DetectedSiteAnswer, ProjectPlanAnswer } from '@cannery/contract';
import { Button } from '../../../components/ui/button.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { deployTypeName } from '../../../lib/text/deploy-type-text.ts';

interface BetterTypeProps {
  readonly site: DetectedSiteAnswer | undefined;
  readonly plan: ProjectPlanAnswer | undefined;
  readonly onType: (type: DeployType) => void;
}

/** Why the type does not fit, as a sentence; of a site, the service says what to do where it found none. */
function reasonOf({ site, plan }: Pick<BetterTypeProps, 'site' | 'plan'>): string | null {
  if (site !== undefined) {
    if (site.advice !== null) return site.advice;
    return site.better_type === undefined
      ? null
      : 'This is a project of canisters. As a website, its pages alone would be deployed.';
  }
  if (plan?.better_type === 'STATIC_SITE') return 'There is no canister in this repository, but a website.';
  return plan?.better_type === undefined ? null : 'Some canisters of this repository are not of Motoko.';
}

/** Offers the type that a repository is of, in one click; where none is known, says what to do. */
export function BetterType({ site, plan, onType }: BetterTypeProps) {
  const type = site?.better_type ?? plan?.better_type;
  const reason = reasonOf({ site, plan });
  if (reason === null) return null;
  return (
    <div role="status">
      <Notice tone="warn" title={reason}>
        {type !== undefined && (
          <Button size="small" className="mt-2" onClick={() => onType(type)}>
            Change to {deployTypeName(type)}
          </Button>
        )}
      </Notice>
    </div>
  );
}

import type { Deploy } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { paths } from '../../config/paths.ts';
import { deployTypeTag } from '../../lib/deploy-type-text.ts';
import { ago, shown } from '../../lib/formats.ts';
import { DappStatus } from './dapp-status.tsx';
import { latestDeploys } from './instances.ts';

/** The deploys that ran last, with state and age. Undefined while they load. */
export function LatestDeploys({ deploys }: { deploys: readonly Deploy[] | undefined }) {
  return (
    <Card className="animate-entrance">
      <CardHeader
        title="Latest deploys"
        actions={
          <Link
            to={paths.deployChoice}
            search={{ type: 'STATIC_SITE' }}
            className="text-sm text-accent hover:underline"
          >
            Create DApp
          </Link>
        }
      />
      <ul className="border-t border-line">
        {deploys === undefined && (
          <li className="px-5 py-4">
            <Skeleton className="w-2/3" />
          </li>
        )}
        {deploys?.length === 0 && (
          <li className="px-5 py-6 text-sm text-muted">
            A deploy shows here as soon as its first run starts.
          </li>
        )}
        {deploys &&
          latestDeploys(deploys).map((deploy) => (
            <li key={deploy.id} className="border-b border-line last:border-0">
              <Link
                to={paths.deploy}
                params={{ id: deploy.id }}
                className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 outline-offset-[-2px] hover:bg-ink/3"
              >
                <span className="min-w-0 flex-1 truncate font-medium max-sm:basis-full">
                  {shown(deploy.name)}
                  <span className="ml-2 text-xs font-normal text-muted">{deployTypeTag(deploy.type)}</span>
                </span>
                <DappStatus status={deploy.deployInstance?.status ?? deploy.status} />
                <span className="ml-auto w-28 text-right text-sm whitespace-nowrap text-muted">
                  {ago(deploy.deployInstance?.created_at ?? deploy.created_at)}
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </Card>
  );
}

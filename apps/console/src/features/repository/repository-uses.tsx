import type { RepositoryUses } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Box, Rocket, Store } from 'lucide-react';
import { Card } from '../../components/ui/card.tsx';
import { RailSection } from '../../components/ui/object-page.tsx';
import { paths } from '../../config/paths.ts';
import { shown } from '../../lib/text/formats.ts';

const nameClass = 'font-medium wrap-anywhere text-accent hover:underline';
/** Canisters of a deploy on show; its page has the others. */
const SHOWN = 10;

type Use = RepositoryUses['deploys'][number];

/** A deploy, the run that is live with its commit, and what it fills. */
function DeployUse({ owner, repo, use }: { owner: string; repo: string; use: Use }) {
  const { id, name, branch, live, canisters = [] } = use;
  return (
    <li className="flex gap-3 text-sm">
      <Rocket className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden="true" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <Link to={paths.deploy} params={{ id }} className={nameClass}>
            <bdi>{shown(name)}</bdi>
          </Link>
          {branch !== undefined && <span className="font-mono text-muted wrap-anywhere">{branch}</span>}
          {live != null && (
            <span className="text-muted">
              <Link to={paths.deployRun} params={{ id, runId: live.id }} className={nameClass}>
                run {live.number}
              </Link>{' '}
              is live
              {live.commit_sha !== null && (
                <>
                  , commit{' '}
                  <Link
                    to="/$owner/$repo/code/$commit/$"
                    params={{ owner, repo, commit: live.commit_sha, _splat: '' }}
                    preload={false}
                    className={nameClass}
                  >
                    <span className="font-mono">{live.commit_sha.slice(0, 7)}</span>
                  </Link>
                </>
              )}
            </span>
          )}
          {live === null && <span className="text-muted">No run was successful yet.</span>}
        </p>
        {canisters.length > 0 && (
          <ul aria-label={`Canisters of ${shown(name)}`} className="flex flex-wrap gap-x-4 gap-y-1">
            {canisters.slice(0, SHOWN).map((canister) => (
              <li key={canister.id} className="flex min-w-0 items-center gap-1.5">
                <Box className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
                <Link
                  to={paths.canister}
                  params={{ id: canister.id }}
                  className="inline-block min-h-6 min-w-0 text-accent wrap-anywhere hover:underline"
                >
                  <bdi>{shown(canister.name)}</bdi>
                </Link>
              </li>
            ))}
            {canisters.length > SHOWN && <li className="text-muted">and {canisters.length - SHOWN} more</li>}
          </ul>
        )}
      </div>
    </li>
  );
}

interface UsesProps {
  readonly owner: string;
  readonly repo: string;
  readonly uses: RepositoryUses;
}

/** What uses a repository of the user: deploys with what they fill, and dapps of the user that name it as their source. */
export function RepositoryUsesSection({ owner, repo, uses: { deploys, dapps = [] } }: UsesProps) {
  return (
    <RailSection title="Used by" label="Used by">
      <ul className="flex flex-col gap-3">
        {deploys.map((use) => (
          <DeployUse key={use.id} owner={owner} repo={repo} use={use} />
        ))}
        {dapps.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 text-sm">
            <Store className="size-4 shrink-0 text-muted" aria-hidden="true" />
            <Link to={paths.dapp} params={{ id }} className={nameClass}>
              <bdi>{shown(name)}</bdi>
            </Link>
            <span className="text-muted">in the marketplace</span>
          </li>
        ))}
        {deploys.length === 0 && dapps.length === 0 && (
          <li className="text-sm text-muted">No deploy and no dapp of yours uses it.</li>
        )}
      </ul>
    </RailSection>
  );
}

/** What is live of a commit; nothing where no deploy has it in its newest run that was successful. */
export function CommitUses({ owner, repo, uses, commit }: UsesProps & { commit: string }) {
  const live = uses.deploys.filter((use) => use.live?.commit_sha === commit);
  if (live.length === 0) return null;
  return (
    <Card aria-label="Live in">
      <ul className="divide-y divide-line *:px-5 *:py-3">
        {live.map((use) => (
          <DeployUse key={use.id} owner={owner} repo={repo} use={use} />
        ))}
      </ul>
    </Card>
  );
}

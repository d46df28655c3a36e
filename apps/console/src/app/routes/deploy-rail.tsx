import type { Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FactLine, FactLines } from '../../components/ui/fact-lines.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { RailSection } from '../../components/ui/object-page.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { paths } from '../../config/paths.ts';
import { canisterQuery } from '../../features/canister/api/queries.ts';
import { CanisterStatus } from '../../features/canister/status/canister-status.tsx';
import { cyclesExact, cyclesInT } from '../../lib/text/cycles.ts';
import { instanceDate, shown } from '../../lib/text/formats.ts';

/** Canisters that the rail asks for; the list beside it has all. */
const SHOWN = 4;

/** A canister of the deploy: whether it runs, and what it has left. */
function CanisterLine({ id, name }: { id: string; name: string | null }) {
  const { data, isPending } = useQuery(canisterQuery(id));
  const cycles = data?.cycles_exact ?? data?.cycles;
  return (
    <div className="flex min-h-6 items-center justify-between gap-3">
      <dt className="min-w-0">
        <Link
          to={paths.canister}
          params={{ id }}
          title={id}
          className="block truncate font-medium hover:text-accent hover:underline"
        >
          {name ?? shown(data?.name)}
        </Link>
      </dt>
      <dd className="flex shrink-0 items-center gap-3">
        {isPending ? (
          <Skeleton className="w-28" />
        ) : (
          data && (
            <>
              <span title={`${cyclesExact(cycles)} cycles`}>{cyclesInT(cycles)}</span>
              <CanisterStatus status={data.status} otherwise="warn" />
            </>
          )
        )}
      </dd>
    </div>
  );
}

function Mono({ children }: { children: ReactNode }) {
  return <span className="font-mono">{children}</span>;
}

/** What a push does, as the settings say it. */
function pushText({ on_push: isOn, push_paused_at: pausedAt }: Deploy): string {
  if (isOn !== true) return 'Off';
  return pausedAt ? 'Paused' : 'On';
}

/** Facts of a deploy: its canisters, how it is built, what starts a run, and when it was created. */
export function DeployRail({ deploy }: { deploy: Deploy }) {
  const { id, type, canisters, parts, build_command: command, publish_directory: directory } = deploy;
  const { root_directory: root, watch_paths: watched, deploy_tags: tags, variables } = deploy;
  const settings = (
    <Link
      to={paths.deployTab}
      params={{ id, tab: 'settings' }}
      aria-label="Change how it is built"
      className="text-muted hover:text-ink hover:underline"
    >
      Change
    </Link>
  );
  return (
    <>
      {canisters.length > 0 && (
        <RailSection title="Runs in" note={canisters.length > 1 ? canisters.length : undefined}>
          <dl className="flex flex-col gap-1.5 text-sm">
            {canisters.slice(0, SHOWN).map((canister) => (
              <CanisterLine
                key={canister}
                id={canister}
                name={parts.find(({ canister_id: of }) => of === canister)?.name ?? null}
              />
            ))}
          </dl>
        </RailSection>
      )}
      <RailSection title="Build" action={settings}>
        <FactLines>
          {type === 'STATIC_SITE' && (
            <>
              <FactLine label="Command">{command ? <Mono>{command}</Mono> : 'none'}</FactLine>
              <FactLine label="Publishes">{directory ? <Mono>{directory}</Mono> : 'all files'}</FactLine>
            </>
          )}
          <FactLine label="Root">{root ? <Mono>{root}</Mono> : 'the repository'}</FactLine>
          {variables !== null && <FactLine label="Variables">{variables.length}</FactLine>}
        </FactLines>
      </RailSection>
      <RailSection title="Starts">
        <FactLines>
          {deploy.url === null && <FactLine label="On push">{pushText(deploy)}</FactLine>}
          <FactLine label="On tags">{tags ? <Mono>{tags}</Mono> : 'Off'}</FactLine>
          {watched !== null && watched.length > 0 && (
            <FactLine label="For changes in">
              <span title={watched.join('\n')}>
                {watched.length === 1 ? <Mono>{watched[0]}</Mono> : `${watched.length} paths`}
              </span>
            </FactLine>
          )}
        </FactLines>
      </RailSection>
      <RailSection title="About">
        <FactLines>
          <FactLine label="Created">
            <Moment at={deploy.created_at}>{instanceDate(deploy.created_at)}</Moment>
          </FactLine>
        </FactLines>
        <IdText id={id} of="deploy id" className="mt-1.5 text-[12px] text-muted" />
      </RailSection>
    </>
  );
}

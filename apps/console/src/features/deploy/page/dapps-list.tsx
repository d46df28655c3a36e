import { type Deploy, type DeployInstance, deployTypes, type PublicConfig } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { GitBranch } from 'lucide-react';
import { Chip, type Tone } from '../../../components/ui/chip.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { ListSearch } from '../../../components/ui/list-search.tsx';
import { SelectBox } from '../../../components/ui/select-box.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { paths } from '../../../config/paths.ts';
import { deployTypeTag } from '../../../lib/text/deploy-type-text.ts';
import { ago, instanceDate, shown } from '../../../lib/text/formats.ts';
import { repositoryLinks } from '../../../lib/text/repository-links.ts';
import { shownAddress } from '../../../lib/text/site-address.ts';
import { triggerText } from '../api/instances.ts';
import { type DappsFilter, dappSite, type DappState, dappState, dappStates } from './dapps-filter.ts';
import { SitePicture } from './site-picture.tsx';
import { away } from '../../../lib/browser/away.ts';

const stateLooks: Readonly<Record<DappState, { readonly text: string; readonly tone: Tone }>> = {
  live: { text: 'Live', tone: 'ok' },
  running: { text: 'Deploying', tone: 'info' },
  failed: { text: 'Failed', tone: 'bad' },
  new: { text: 'Not deployed', tone: 'neutral' },
};

interface DappsToolbarProps {
  readonly filter: DappsFilter;
  readonly onChange: (change: Partial<DappsFilter>) => void;
}

/** Search, state and type of the deploys on show. */
export function DappsToolbar({ filter, onChange }: DappsToolbarProps) {
  const place = 'w-34 max-sm:w-auto max-sm:flex-1';
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <ListSearch
        label="Search DApps"
        shown={filter.search}
        onSearch={(search) => onChange({ search })}
        className="w-48 max-sm:w-full"
      />
      <SelectBox
        aria-label="State"
        look="small"
        className={place}
        options={[
          { value: '', label: 'All states' },
          ...dappStates.map((state) => ({ value: state, label: stateLooks[state].text })),
        ]}
        value={filter.state ?? ''}
        onChange={(chosen) => onChange({ state: dappStates.find((state) => state === chosen) })}
      />
      <SelectBox
        aria-label="Type"
        look="small"
        className={place}
        options={[
          { value: '', label: 'All types' },
          ...deployTypes.map((type) => ({ value: type, label: deployTypeTag(type) })),
        ]}
        value={filter.type ?? ''}
        onChange={(chosen) => onChange({ type: deployTypes.find((type) => type === chosen) })}
      />
    </div>
  );
}

/** Where the row has room for its three parts side by side. */
const rowClass =
  'relative grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-3 px-5 py-4 @max-[640px]:px-4 @min-[680px]:grid-cols-[auto_minmax(0,5fr)_minmax(0,4fr)]';

function Site({ deploy, url }: { deploy: Deploy; url: string | undefined }) {
  const [canister] = deploy.canisters;
  if (url === undefined) {
    return canister === undefined ? (
      <p className="text-sm leading-7 text-muted">No canister yet</p>
    ) : (
      <span className="relative z-1 flex max-w-full items-center gap-2">
        <IdText id={canister} of="canister id" className="text-muted" />
        {deploy.canisters.length > 1 && (
          <span className="text-sm whitespace-nowrap text-muted">and {deploy.canisters.length - 1} more</span>
        )}
      </span>
    );
  }
  return (
    <span className="relative z-1 flex w-fit max-w-full items-center gap-1">
      <a
        href={url}
        {...away}
        title={url}
        className="inline-flex min-h-6 min-w-0 items-center text-accent hover:underline"
      >
        <span className="truncate">{shownAddress(url)}</span>
      </a>
      <CopyButton text={url} label="Copy address" />
    </span>
  );
}

/** What the last run came to, of which commit and when. */
function LastRun({ deploy, run }: { deploy: Deploy; run: DeployInstance | null }) {
  const state = dappState(deploy);
  const { text, tone } = stateLooks[state];
  const isBehind = state === 'failed' && Boolean(deploy.live_run);
  const facts = run && [
    triggerText(run),
    run.duration === null ? null : `${run.duration}s`,
    ago(run.created_at ?? deploy.created_at),
  ];
  return (
    <div className="min-w-0 @max-[680px]:col-span-2">
      <p className="flex min-h-6 items-center gap-2">
        <Chip tone={tone} busy={state === 'running'}>
          {text}
        </Chip>
        {isBehind && <span className="truncate text-sm text-muted">an earlier run is live</span>}
        {run?.commit_id && !isBehind && (
          <span className="font-mono text-sm text-muted">{run.commit_id.slice(0, 7)}</span>
        )}
        {run && !isBehind && (
          <span title={run.commit_message ?? undefined} className="min-w-0 truncate text-sm">
            {run.commit_message}
          </span>
        )}
      </p>
      <p
        title={instanceDate(run?.created_at ?? deploy.created_at)}
        className="mt-0.5 truncate text-sm text-muted"
      >
        {facts ? facts.filter(Boolean).join(' · ') : `Created ${ago(deploy.created_at)}`}
      </p>
    </div>
  );
}

function DappRow({ deploy, config }: { deploy: Deploy; config: PublicConfig | undefined }) {
  const { id, name, type, branch, deployInstance: run } = deploy;
  const site = dappSite(deploy, config);
  return (
    <li className={`${rowClass} transition-colors duration-100 hover:bg-ink/3`}>
      <span className="relative z-1">
        <SitePicture
          picture={site?.picture ?? null}
          url={site?.url}
          className="w-20 @min-[680px]:w-24 @min-[860px]:w-32"
        />
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          {/* Its place is the whole row, so that a click anywhere follows it, with any key held. */}
          <Link
            to={paths.deploy}
            params={{ id }}
            title={name ?? undefined}
            className="line-clamp-2 text-lg font-semibold wrap-anywhere after:absolute after:inset-0"
          >
            {shown(name)}
          </Link>
          <span className="text-sm text-muted">{deployTypeTag(type)}</span>
        </p>
        <Site deploy={deploy} url={site?.url} />
        <p className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
          <GitBranch className="size-3.5 shrink-0" aria-hidden="true" />
          <span className="truncate">
            {repositoryLinks(deploy, config).name} · {shown(branch)}
          </span>
        </p>
      </div>
      <LastRun deploy={deploy} run={run} />
    </li>
  );
}

interface DappsListProps {
  readonly deploys: readonly Deploy[];
  readonly config: PublicConfig | undefined;
}

/** Deploys with their picture, address and last run, each a row that opens its page. */
export function DappsList({ deploys, config }: DappsListProps) {
  return (
    <ul aria-label="DApps" className="@container divide-y divide-line">
      {deploys.map((deploy) => (
        <DappRow key={deploy.id} deploy={deploy} config={config} />
      ))}
    </ul>
  );
}

/** The same while it is loaded. */
export function LoadingDapps() {
  return (
    <div role="status" aria-label="Loading DApps" className="@container divide-y divide-line">
      {[0, 1, 2].map((row) => (
        <div key={row} className={rowClass}>
          <Skeleton className="aspect-8/5 h-auto w-20 @min-[680px]:w-24 @min-[860px]:w-32" />
          <div className="flex flex-col gap-3">
            <Skeleton className="h-5 w-40" />
            <Skeleton className="w-64 max-w-full" />
            <Skeleton className="w-48 max-w-full" />
          </div>
          <div className="flex flex-col gap-3 @max-[680px]:col-span-2">
            <Skeleton className="h-5 w-48" />
            <Skeleton className="w-32" />
          </div>
        </div>
      ))}
    </div>
  );
}

import { isFinished, type PublicConfig } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { paths } from '../../config/paths.ts';
import { CyclesSpark } from '../../features/canister/balance/cycles-spark.tsx';
import { SiteThumb } from '../../features/canister/site/site-thumb.tsx';
import { CanisterStatus } from '../../features/canister/status/canister-status.tsx';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { cyclesExact, cyclesInT } from '../../lib/text/cycles.ts';
import { deployTypeTag } from '../../lib/text/deploy-type-text.ts';
import { ago, shown } from '../../lib/text/formats.ts';
import { shownAddress, siteAddress } from '../../lib/text/site-address.ts';
import type { App } from './apps.ts';
import { away } from '../../lib/browser/away.ts';

/** Whether it runs: of a deploy what its last run came to, of a canister what the network says. */
function State({ app: { deploy, canister } }: { app: App }) {
  if (deploy === undefined) return <CanisterStatus status={canister?.status} otherwise="warn" />;
  const status = deploy.deployInstance?.status ?? deploy.status;
  if (status === null) return <Chip tone="neutral">not deployed</Chip>;
  if (status === 'FAILED') return <Chip tone="bad">failed</Chip>;
  if (!isFinished(status)) {
    return (
      <Chip tone="info" busy>
        deploying
      </Chip>
    );
  }
  return <Chip tone="ok">live</Chip>;
}

/** Where the site is; of code the id of its canister. */
function Address({ app: { deploy, canister }, config }: { app: App; config: PublicConfig | undefined }) {
  if (canister === undefined) return <span className="text-sm text-muted">No canister yet</span>;
  const { id } = canister;
  const part = deploy?.parts.find((one) => one.canister_id === id);
  const isSite = part?.kind === 'site' || deploy?.type === 'STATIC_SITE' || canister.serves_http;
  if (!isSite || config === undefined) {
    return <IdText id={id} of="canister id" short="to-fit" className="text-muted" />;
  }
  const url = siteAddress(config, id);
  return (
    <span className="flex max-w-full items-center gap-1">
      <a
        href={url}
        {...away}
        title={url}
        className="inline-flex min-h-6 min-w-0 items-center gap-1.5 text-sm text-accent hover:underline"
      >
        <Globe className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="truncate">{shownAddress(url)}</span>
      </a>
      <CopyButton text={url} label="Copy address" />
    </span>
  );
}

/** An app with its state, its address, and the course of its cycles. */
function AppRow({ app, config }: { app: App; config: PublicConfig | undefined }) {
  const { name, deploy, canister, at } = app;
  const cycles = canister?.cycles_exact ?? canister?.cycles;
  const look = 'inline-block py-0.5 font-medium wrap-anywhere hover:underline';
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1 border-b border-line px-5 py-2.5 last:border-0 md:grid-cols-[minmax(0,1fr)_7.5rem_13rem_7rem]">
      <div className="flex min-w-0 items-center gap-3">
        {canister?.picture != null && <SiteThumb picture={canister.picture} className="w-16 max-sm:hidden" />}
        <div className="min-w-0">
          <p>
            {deploy !== undefined ? (
              <Link to={paths.deploy} params={{ id: deploy.id }} className={look}>
                {shown(name)}
              </Link>
            ) : (
              <Link to={paths.canister} params={{ id: canister?.id ?? '' }} className={look}>
                {shown(name)}
              </Link>
            )}
            <span className="ml-2 text-xs text-muted">
              {deploy === undefined ? 'canister' : deployTypeTag(deploy.type)}
            </span>
          </p>
          <Address app={app} config={config} />
        </div>
      </div>
      <span className="justify-self-end md:justify-self-start">
        <State app={app} />
      </span>
      <span className="flex h-8 items-center justify-between gap-3">
        {canister && (
          <>
            <CyclesSpark canisterId={canister.id} />
            <span title={`${cyclesExact(cycles)} cycles`} className="text-sm whitespace-nowrap">
              {cyclesInT(cycles)}
            </span>
          </>
        )}
      </span>
      <span className="justify-self-end text-sm whitespace-nowrap text-muted">{ago(at)}</span>
    </li>
  );
}

/** What changed last; the lists have the rest. */
const SHOWN = 8;
/** One more than is shown, by which the card knows that there is more. */
export const APPS_OF_CARD = SHOWN + 1;

const linkClass = 'py-0.5 text-sm text-accent hover:underline max-sm:py-2';

/** The apps of a user, what changed last first; at most {@link APPS_OF_CARD} of them. */
export function AppsCard({ apps }: { apps: readonly App[] }) {
  const config = usePublicConfig();
  return (
    <Card aria-label="Apps" className="animate-entrance">
      <CardHeader
        title="Apps"
        note={apps.length > SHOWN ? 'Recently changed' : undefined}
        actions={
          <span className="flex gap-5">
            <Link to={paths.deployChoice} search={{ type: 'STATIC_SITE' }} className={linkClass}>
              New app
            </Link>
            <Link to={paths.canisters} className={linkClass}>
              All canisters
            </Link>
          </span>
        }
      />
      <ul className="border-t border-line">
        {apps.slice(0, SHOWN).map((app) => (
          <AppRow key={app.key} app={app} config={config} />
        ))}
        {apps.length === 0 && (
          <li className="px-5 py-6 text-sm text-muted">Your apps cannot be shown right now. Trying again.</li>
        )}
      </ul>
    </Card>
  );
}

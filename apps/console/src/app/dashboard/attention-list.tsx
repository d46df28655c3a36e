import { Link } from '@tanstack/react-router';
import { CircleArrowUp, CircleX, TriangleAlert } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Button, buttonClass } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { DialogBoundary } from '../../components/connection/dialog-boundary.tsx';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { classNames } from '../../lib/class-names.ts';
import { ago, shown } from '../../lib/text/formats.ts';
import type { Attention } from './attention.ts';

/** Brings the code of forms with it, which the dashboard has no other need of. */
const TopUpDialog = lazyPage(
  () => import('../../features/canister/payment/top-up-dialog.tsx'),
  'TopUpDialog',
);

/** Rows before the rest is asked for: what else the dashboard has stays in sight. */
const AT_FIRST = 4;

const icons = { bad: CircleX, warn: TriangleAlert, info: CircleArrowUp };
const tones = { bad: 'text-bad', warn: 'text-warn', info: 'text-info' };
const linkClass = 'inline-block py-0.5 font-medium wrap-anywhere hover:underline';

function Action({ one, onTopUp }: { one: Attention; onTopUp: () => void }): ReactNode {
  const look = buttonClass({ size: 'small' });
  switch (one.kind) {
    case 'run':
      return (
        <Link to={paths.deployRun} params={{ id: one.deployId, runId: one.runId }} className={look}>
          See the log
        </Link>
      );
    case 'cycles':
      return (
        <Button size="small" onClick={onTopUp}>
          Add Cycles
        </Button>
      );
    case 'update':
      return (
        <Link to={paths.canister} params={{ id: one.canisterId }} className={look}>
          See the update
        </Link>
      );
  }
}

function Name({ one }: { one: Attention }) {
  const name = shown(one.name);
  if (one.kind === 'run') {
    return (
      <Link to={paths.deploy} params={{ id: one.deployId }} className={linkClass}>
        {name}
      </Link>
    );
  }
  const id = one.kind === 'cycles' ? one.canister.id : one.canisterId;
  return (
    <Link to={paths.canister} params={{ id }} className={linkClass}>
      {name}
    </Link>
  );
}

/** What needs the user, each with the next step. Nothing when all is well. */
export function AttentionList({ all }: { all: readonly Attention[] }) {
  const account = useAccountRefresh();
  const [showsAll, setShowsAll] = useState(false);
  const [fed, setFed] = useState<Attention>();
  if (all.length === 0 && fed === undefined) return null;
  return (
    <>
      {all.length > 0 && (
        <Card aria-label="Needs attention" className="animate-entrance">
          <CardHeader title="Needs attention" />
          <ul className="border-t border-line">
            {(showsAll ? all : all.slice(0, AT_FIRST)).map((one) => {
              const Icon = icons[one.tone];
              return (
                <li
                  key={one.key}
                  className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-2 last:border-0"
                >
                  <Icon className={classNames('size-5 shrink-0', tones[one.tone])} aria-hidden="true" />
                  <p className="min-w-0 flex-1 basis-48">
                    <Name one={one} /> <span className="text-sm text-muted">{one.text}</span>
                    {one.kind === 'run' && <span className="text-sm text-muted">, {ago(one.at)}</span>}
                  </p>
                  <Action one={one} onTopUp={() => setFed(one)} />
                </li>
              );
            })}
          </ul>
          {all.length > AT_FIRST && (
            <div className="border-t border-line px-3 py-1.5">
              <Button
                variant="ghost"
                size="small"
                aria-expanded={showsAll}
                onClick={() => setShowsAll(!showsAll)}
              >
                {showsAll ? 'Show fewer' : `Show ${all.length - AT_FIRST} more`}
              </Button>
            </div>
          )}
        </Card>
      )}
      {fed?.kind === 'cycles' && (
        <DialogBoundary onClose={() => setFed(undefined)}>
          <Suspense>
            <TopUpDialog
              canister={fed.canister}
              open
              onOpenChange={(open) => !open && setFed(undefined)}
              onToppedUp={account.balanceMoved}
            />
          </Suspense>
        </DialogBoundary>
      )}
    </>
  );
}

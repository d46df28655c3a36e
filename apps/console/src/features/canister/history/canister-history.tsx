import type { CanisterChange } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import {
  Camera,
  CirclePlay,
  CirclePlus,
  CircleQuestionMark,
  CircleStop,
  CodeXml,
  History,
  type LucideIcon,
  PackagePlus,
  Pencil,
  RotateCcw,
  Settings2,
  Tag,
  Trash2,
  UserRoundCog,
} from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Paged } from '../../../components/ui/paged.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { withSystemNames } from '../../../lib/shared/system-canisters.ts';
import { ago, tableDate } from '../../../lib/text/formats.ts';
import { pageSizes } from '../../../lib/table/paging.ts';
import { canisterHistoryQuery } from '../api/queries.ts';

interface ChangeLook {
  readonly text: string;
  readonly Icon: LucideIcon;
}

/** How each kind of change is told. */
const changeLooks: Record<CanisterChange['kind'], ChangeLook> = {
  created: { text: 'Created', Icon: CirclePlus },
  installed: { text: 'Code installed', Icon: PackagePlus },
  upgraded: { text: 'Code upgraded', Icon: CodeXml },
  reinstalled: { text: 'Code re-installed, data erased', Icon: RotateCcw },
  settings: { text: 'Settings changed', Icon: Settings2 },
  renamed: { text: 'Renamed', Icon: Pencil },
  tagged: { text: 'Tags changed', Icon: Tag },
  started: { text: 'Started', Icon: CirclePlay },
  stopped: { text: 'Stopped', Icon: CircleStop },
  topped_up: { text: 'Cycles added', Icon: CirclePlus },
  topup_uncertain: { text: 'Adding cycles is uncertain', Icon: CircleQuestionMark },
  snapshot_taken: { text: 'Snapshot taken', Icon: Camera },
  snapshot_restored: { text: 'Snapshot restored', Icon: History },
  snapshot_deleted: { text: 'Snapshot deleted', Icon: Trash2 },
  outside: { text: 'Changed outside the console', Icon: UserRoundCog },
};

/** Who has made a change. What nobody has signed in for was made elsewhere, or is a note of the console itself. */
export function actorOf({ actor, kind }: Pick<CanisterChange, 'actor' | 'kind'>): string {
  return actor ?? (kind === 'outside' ? 'someone outside the console' : 'the console');
}

function Change({ change }: { change: CanisterChange }) {
  const { text, Icon } = changeLooks[change.kind];
  return (
    <li className="relative flex gap-4 pb-5 before:absolute before:top-8 before:bottom-0 before:left-4 before:w-px before:bg-line last:pb-0 last:before:hidden">
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full border border-line bg-sunken"
      >
        <Icon className="size-4 text-muted" />
      </span>
      <div className="min-w-0 flex-1 pt-1.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{text}</span>
          <time dateTime={change.created_at} className="text-sm text-muted">
            {tableDate(change.created_at)} · {ago(change.created_at)}
          </time>
        </p>
        {change.detail !== null && <p className="text-sm wrap-anywhere">{withSystemNames(change.detail)}</p>}
        <p className="text-sm text-muted">by {actorOf(change)}</p>
      </div>
    </li>
  );
}

/** Who changed what of a canister, newest first. */
export function CanisterHistory({ canisterId }: { canisterId: string }) {
  const { data, error, isPending, refetch } = useQuery(canisterHistoryQuery(canisterId));
  return (
    <Card className="animate-entrance">
      <CardHeader title="History" note="Changes of code, settings, cycles and snapshots" />
      {isPending ? (
        <div role="status" aria-label="Loading history" className="flex flex-col gap-5 px-5 pb-5">
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} className="h-10 w-full" />
          ))}
        </div>
      ) : data === undefined ? (
        <ErrorState
          title="The history cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : data.length === 0 ? (
        <EmptyState
          drawing="records"
          title="Nothing has changed yet"
          hint="Every action on this canister leaves an entry here."
        />
      ) : (
        <Paged rows={data} sizes={pageSizes} startSize={25} sizeLabel="Changes per page">
          {(page) => (
            <ol className="px-5 pt-2 pb-5">
              {page.rows.map((change) => (
                <Change key={change.id} change={change} />
              ))}
            </ol>
          )}
        </Paged>
      )}
    </Card>
  );
}

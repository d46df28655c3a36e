import type { Canister } from '@cannery/contract';
import { Paged } from '../../../components/ui/paged.tsx';
import { cyclesInT } from '../../../lib/text/cycles.ts';
import { shown } from '../../../lib/text/formats.ts';
import { cardPageSizes } from '../../../lib/table/paging.ts';
import { edgeColour } from '../api/canister-state.ts';
import { OpenLine } from '../site/open-site.tsx';
import { CanisterStatus, ChangedOutside } from '../status/canister-status.tsx';

const edges = [
  'before:bg-(--edge-1)',
  'before:bg-(--edge-2)',
  'before:bg-(--edge-3)',
  'before:bg-(--edge-4)',
  'before:bg-(--edge-5)',
  'before:bg-(--edge-6)',
] as const;

interface CanistersGridProps {
  readonly canisters: readonly Canister[];
  readonly onOpen: (id: string) => void;
}

/** The user's canisters as cards; a card opens the drawer. */
export function CanistersGrid({ canisters, onOpen }: CanistersGridProps) {
  return (
    <Paged rows={canisters} sizes={cardPageSizes} startSize={24} sizeLabel="Cards per page" address="cards">
      {(page) => (
        <ul className="grid grid-cols-1 gap-3 border-t border-line p-5 sm:grid-cols-2 lg:grid-cols-3">
          {page.rows.map((canister, place) => {
            const edge = edgeColour(page.first - 1 + place);
            return (
              <li key={canister.id || place} className="relative">
                <button
                  type="button"
                  data-edge={edge}
                  data-canister={canister.id}
                  onClick={() => onOpen(canister.id)}
                  className={`relative flex w-full flex-col gap-2 overflow-hidden rounded-card border border-line bg-surface py-3.5 pr-4 pl-5 text-left transition-colors duration-100 before:absolute before:inset-y-0 before:left-0 before:w-1 hover:border-control ${edges[edge - 1] ?? ''} ${canister.serves_http ? 'h-full pb-12 max-sm:pb-14' : ''}`}
                >
                  <span
                    title={canister.name ?? undefined}
                    className="line-clamp-2 w-full font-semibold wrap-anywhere"
                  >
                    {shown(canister.name)}
                  </span>
                  <span className="flex w-full items-center justify-between gap-3">
                    <CanisterStatus status={canister.status} otherwise="warn" asOf={canister.as_of} />
                    <span className="text-sm text-muted">
                      {cyclesInT(canister.cycles_exact ?? canister.cycles)}
                    </span>
                  </span>
                  {canister.origin?.changed_outside && <ChangedOutside />}
                </button>
                {/* On the card, and no part of the button that the card is. */}
                <span className="absolute bottom-2.5 left-5">
                  <OpenLine canister={canister} picture={canister.picture} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Paged>
  );
}

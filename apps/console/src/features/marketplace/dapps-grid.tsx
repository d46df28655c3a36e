import type { Dapp } from '@cannery/contract';
import { DappCard } from './card/dapp-card.tsx';

const gridClass = 'grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3';

/** Dapps as cards. */
export function DappsGrid({ dapps }: { dapps: readonly Dapp[] }) {
  return (
    <ul aria-label="DApps" className={gridClass}>
      {dapps.map((dapp, place) => (
        <li key={dapp.id || place}>
          <DappCard dapp={dapp} />
        </li>
      ))}
    </ul>
  );
}

/** The grid while its dapps are fetched. */
export function LoadingGrid() {
  return (
    <div role="status" aria-label="Loading dapps" className={gridClass}>
      {Array.from({ length: 6 }, (_, place) => (
        <div key={place} className="h-44 animate-pulse rounded-card border border-line bg-surface" />
      ))}
    </div>
  );
}

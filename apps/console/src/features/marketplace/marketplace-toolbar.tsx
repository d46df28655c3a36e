import { type DappKind, dappKinds, type DappSort, dappSorts } from '@cannery/contract';
import { SearchField } from '../../components/ui/search-field.tsx';
import { controlClass } from '../../components/ui/control-class.ts';
import type { DappsView } from './dapps-view.ts';
import { kindNames } from './kind-names.ts';

const sortNames: Readonly<Record<DappSort, string>> = {
  newest: 'Newest',
  installs: 'Most installed',
  name: 'Name',
};

interface MarketplaceToolbarProps {
  readonly view: DappsView;
  /** What is typed, which the list may follow later. */
  readonly onChange: (change: Partial<DappsView>) => void;
}

/** Search, order and kind of the dapps on show. */
export function MarketplaceToolbar({ view, onChange }: MarketplaceToolbarProps) {
  const select = controlClass('h-8 cursor-pointer pr-1 text-sm');
  const place = 'w-40 max-sm:w-auto max-sm:flex-1';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label="Search dapps"
        value={view.search}
        onChange={(search) => onChange({ search })}
        answersFind
        className="w-56 max-sm:w-full"
      />
      <span className={place}>
        <select
          aria-label="Kind"
          value={view.kind ?? ''}
          onChange={({ target }) => onChange({ kind: dappKinds.find((kind) => kind === target.value) })}
          className={select}
        >
          <option value="">All kinds</option>
          {dappKinds.map((kind: DappKind) => (
            <option key={kind} value={kind}>
              {kindNames[kind]}
            </option>
          ))}
        </select>
      </span>
      <span className={place}>
        <select
          aria-label="Order"
          value={view.sort}
          onChange={({ target }) =>
            onChange({ sort: dappSorts.find((sort) => sort === target.value) ?? 'newest' })
          }
          className={select}
        >
          {dappSorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortNames[sort]}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}

import { dappKinds, type DappSort, dappSorts } from '@cannery/contract';
import { SearchField } from '../../components/ui/search-field.tsx';
import { SelectBox } from '../../components/ui/select-box.tsx';
import type { DappsView } from './api/dapps-view.ts';
import { kindNames } from './dapp-dialog/kind-choice.tsx';

const sortNames: Readonly<Record<DappSort, string>> = {
  newest: 'Newest',
  installs: 'Most installed',
  rating: 'Best rated',
  name: 'Name',
};

interface MarketplaceToolbarProps {
  readonly view: DappsView;
  /** What is typed, which the list may follow later. */
  readonly onChange: (change: Partial<DappsView>) => void;
}

/** Search, order and kind of the dapps on show. */
export function MarketplaceToolbar({ view, onChange }: MarketplaceToolbarProps) {
  const place = 'w-40 max-sm:w-auto max-sm:flex-1';
  return (
    <div className="flex flex-wrap items-center gap-2 max-lg:flex-1">
      <SearchField
        label="Search dapps"
        value={view.search}
        onChange={(search) => onChange({ search })}
        answersFind
        className="w-56 max-lg:w-auto max-lg:flex-1 max-sm:w-full max-sm:flex-none"
      />
      <SelectBox
        aria-label="Kind"
        look="small"
        className={place}
        options={[
          { value: '', label: 'All kinds' },
          ...dappKinds.map((kind) => ({ value: kind, label: kindNames[kind] })),
        ]}
        value={view.kind ?? ''}
        onChange={(chosen) => onChange({ kind: dappKinds.find((kind) => kind === chosen) })}
      />
      <SelectBox
        aria-label="Order"
        look="small"
        className={place}
        options={dappSorts.map((sort) => ({ value: sort, label: sortNames[sort] }))}
        value={view.sort}
        onChange={(sort) => onChange({ sort })}
      />
    </div>
  );
}

import type { Registry } from '@cannery/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { Button, type ButtonSize } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { SearchField } from '../../components/ui/search-field.tsx';
import { useAddressFields } from '../../lib/table/address-fields.ts';
import { DEFAULT_PAGE_SIZE, pageSizes } from '../../lib/table/paging.ts';
import { type RegistriesPage, registriesQuery } from '../../lib/shared/registries.ts';
import { failedList } from '../../lib/table/rows.ts';
import { useTableState } from '../../lib/table/table-state.ts';
import { useSettled } from '../../lib/browser/use-settled.ts';
import { DeleteRegistryDialog } from './delete-registry-dialog.tsx';
import { RegistriesTable } from './registries-table.tsx';
import { RegistryDialog } from './registry-dialog.tsx';
import { RegistryPanel } from './registry-panel.tsx';

/** The address opens an entry by `entry`, the dialog for a new one by `add`, and searches by `q`. */
const shownFields = ['add', 'entry', 'q'] as const;
/** A search is asked for, and in the address, once typing pauses; milliseconds. */
const SEARCH_SETTLES_MS = 250;
const table = { address: 'registries', sizes: pageSizes, startSize: DEFAULT_PAGE_SIZE } as const;

/** A list that did not load looks like an empty one, and says so. */
const nothing: RegistriesPage = { registries: [], total: 0, more: false };

/** The list of registries with its toolbar and dialogs, a page at a time. */
export function RegistriesSection() {
  const [{ add, entry, q: typed = '' }, setFields] = useAddressFields('', shownFields, SEARCH_SETTLES_MS);
  const [state, changeTable] = useTableState(table);
  const search = useSettled(typed, SEARCH_SETTLES_MS);
  const list = useQuery({ ...registriesQuery({ search, ...state }), placeholderData: keepPreviousData });
  const { data, isError, isPlaceholderData } = list;
  const failed = failedList(list);
  const found = data ?? (isError ? nothing : undefined);
  const [edited, setEdited] = useState<Registry>();
  const [deleted, setDeleted] = useState<Registry>();
  const openAdd = useCallback((): void => setFields({ add: 'registry' }), [setFields]);
  const open = useCallback((id: string): void => setFields({ entry: id }), [setFields]);
  const isSearch = search.trim() !== '';
  const isEmpty = found?.total === 0;

  // A page that has gone falls back to the last one.
  const lastPage = Math.max(0, Math.ceil((data?.total ?? 0) / state.size) - 1);
  const isBehind = data !== undefined && !isPlaceholderData && data.registries.length === 0;
  useEffect(() => {
    if (isBehind && state.page > lastPage) changeTable({ page: lastPage });
  });

  const addButton = (size: ButtonSize) => (
    <Button variant="primary" size={size} onClick={openAdd}>
      <Plus className="size-4" />
      Add new registry
    </Button>
  );
  return (
    <Card className="animate-entrance">
      <CardHeader
        title="Registries"
        note={data && `${data.total.toLocaleString('en')}${data.more ? '+' : ''}`}
        actions={
          // Also before the first answer, which would push the list down.
          (isSearch || typed !== '' || !isEmpty) && (
            <>
              <SearchField
                label="Search registries"
                value={typed}
                onChange={(q) => {
                  setFields({ q: q === '' ? undefined : q });
                  if (state.page > 0) changeTable({ page: 0 });
                }}
                answersFind
                className="w-56 max-sm:w-full"
              />
              {addButton('small')}
            </>
          )
        }
      />
      {!isEmpty ? (
        <RegistriesTable
          found={found}
          state={state}
          onChange={changeTable}
          onOpen={open}
          onEdit={setEdited}
          onDelete={setDeleted}
        />
      ) : isSearch && failed === undefined ? (
        <EmptyState
          drawing="search"
          title="No registry matches"
          hint="The search looks at names."
          action={<Button onClick={() => setFields({ q: undefined })}>Show all registries</Button>}
        />
      ) : (
        <EmptyState
          drawing="registries"
          title="You haven't added any registry yet."
          failed={failed}
          hint="A registry keeps a WASM under a name, with all its versions, ready to be installed in any canister."
          action={addButton('medium')}
        />
      )}
      <RegistryPanel
        id={entry}
        registry={found?.registries.find(({ id }) => id === entry)}
        onClose={() => setFields({ entry: undefined })}
      />
      {add !== undefined && (
        <RegistryDialog entry={undefined} onClose={() => setFields({ add: undefined })} />
      )}
      {edited && <RegistryDialog entry={edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteRegistryDialog registry={deleted} onClose={() => setDeleted(undefined)} />}
    </Card>
  );
}

import type { Canister } from '@cannery/contract';
import { LayoutGrid, Plus, Table2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { ListSearch } from '../../../components/ui/list-search.tsx';
import { SelectBox } from '../../../components/ui/select-box.tsx';
import { useStore } from '../../../lib/browser/store.ts';
import { useAddressEntry } from '../../../lib/table/address-entry.ts';
import { useAddressFields } from '../../../lib/table/address-fields.ts';
import { searchCanisters } from '../api/canister-state.ts';
import { tagsOf, withTag } from '../api/label.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { bulkWork } from '../bulk/bulk-work.ts';
import { CreateCanisterDialog } from '../create/create-canister-dialog.tsx';
import { CanisterDrawer } from './canister-drawer.tsx';
import { CanistersGrid } from './canisters-grid.tsx';
import { CanistersTable } from './canisters-table.tsx';
import { CreatedBar } from './created-bar.tsx';

/** What the address says of the section: the search, the tag that is filtered by, and the presentation. */
const shownFields = ['q', 'tag', 'view'] as const;
/** A search is in the address once typing pauses. */
const SEARCH_SETTLES_MS = 300;

interface CanistersSectionProps {
  /** Undefined when the list could not be loaded. */
  readonly canisters: readonly Canister[] | undefined;
  readonly error: unknown;
  /** Of when the list is, where it cannot be refreshed. */
  readonly age: ReactNode;
  readonly onRetry: () => void;
  readonly onCreated: () => void;
  readonly onBalanceMoved: () => void;
}

/** The list of canisters with its toolbar, as a table or as cards. */
export function CanistersSection({
  canisters,
  error,
  age,
  onRetry,
  onCreated,
  onBalanceMoved,
}: CanistersSectionProps) {
  const [{ q: search = '', tag, view }, setFields] = useAddressFields('', shownFields, SEARCH_SETTLES_MS);
  const [creating, setCreating] = useState(false);
  const [opened, open] = useAddressEntry('drawer');
  const tags = useMemo(() => tagsOf(canisters ?? []), [canisters]);
  const found = useMemo(
    () => searchCanisters(withTag(canisters ?? [], tag), search),
    [canisters, search, tag],
  );
  const table = view !== 'cards';
  const bulk = useStore(bulkWork);

  const empty =
    canisters?.length === 0 ? (
      <EmptyState
        drawing="canisters"
        title="Deploy your first Canister on Internet Computer"
        hint="A canister holds code, data and the cycles that pay for running them."
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            {table ? 'Add Canister' : 'Create Canister'}
          </Button>
        }
      />
    ) : (
      <EmptyState
        drawing="search"
        title="No canister matches"
        hint={
          tag === undefined
            ? 'The search looks at names and ids.'
            : `Only those with the tag ${tag} are listed.`
        }
        action={
          <Button onClick={() => setFields({ q: undefined, tag: undefined })}>
            {tag === undefined ? 'Clear search' : 'Show all canisters'}
          </Button>
        }
      />
    );

  return (
    <Card className="animate-entrance">
      <CardHeader
        title="Canisters"
        note={canisters?.length}
        age={age}
        actions={
          <>
            {(tags.length > 0 || tag !== undefined) && (
              <SelectBox
                aria-label="Tag"
                look="small"
                className="max-w-40 max-sm:max-w-none max-sm:flex-1"
                options={[
                  { value: '', label: 'All tags' },
                  ...[...new Set([...tags, ...(tag === undefined ? [] : [tag])])].map((each) => ({
                    value: each,
                    label: each,
                  })),
                ]}
                value={tag ?? ''}
                onChange={(next) => setFields({ tag: next === '' ? undefined : next })}
              />
            )}
            {canisters && canisters.length > 0 && (
              <ListSearch
                label="Search canisters"
                shown={search}
                onSearch={(q) => setFields({ q: q === '' ? undefined : q })}
                className="w-48 max-sm:w-full"
              />
            )}
            <IconButton
              label={table ? 'Show as cards' : 'Show as table'}
              onClick={() => setFields({ view: table ? 'cards' : undefined })}
            >
              {table ? <LayoutGrid className="size-4" /> : <Table2 className="size-4" />}
            </IconButton>
            <Button variant="primary" size="small" onClick={() => setCreating(true)}>
              <Plus className="size-4" />
              {table ? 'Create New Canister' : 'Create new canister'}
            </Button>
          </>
        }
      />
      {canisters === undefined ? (
        <ErrorState
          title="Cannot load canisters. Please try again later."
          error={error}
          action={<Button onClick={onRetry}>Try again</Button>}
        />
      ) : table || found.length === 0 ? (
        <CanistersTable canisters={found} empty={empty} />
      ) : (
        <CanistersGrid canisters={found} onOpen={open} />
      )}
      <CreateCanisterDialog
        open={creating}
        onOpenChange={setCreating}
        onCreated={onCreated}
        presentation={table ? 'table' : 'grid'}
      />
      <CreatedBar canisters={canisters} onBalanceMoved={onBalanceMoved} />
      <CanisterDrawer
        canister={opened === undefined ? undefined : canisters?.find(({ id }) => id === opened)}
        onClose={() => open(undefined)}
        onBalanceMoved={onBalanceMoved}
      />
      {(table || bulk !== undefined) && (
        <BulkBar canisters={canisters ?? []} found={found} onBalanceMoved={onBalanceMoved} />
      )}
    </Card>
  );
}

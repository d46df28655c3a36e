import type { Registry } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import type { ButtonSize } from '../../components/ui/button-class.ts';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { useAddressFields } from '../../lib/address-fields.ts';
import { registriesQuery } from '../../lib/registries.ts';
import { DeleteRegistryDialog } from './delete-registry-dialog.tsx';
import { RegistriesTable } from './registries-table.tsx';
import { RegistryDialog } from './registry-dialog.tsx';
import { RegistryPanel } from './registry-panel.tsx';

/** The address opens an entry by `entry`, and the dialog for a new one by `add`. */
const shownFields = ['add', 'entry'] as const;

/** The list of registries with its toolbar and dialogs. A list that cannot be loaded shows as an empty one. */
export function RegistriesSection() {
  const { data, isError } = useQuery(registriesQuery);
  const registries = data ?? (isError ? [] : undefined);
  const [{ add, entry }, setFields] = useAddressFields('', shownFields);
  const [edited, setEdited] = useState<Registry>();
  const [deleted, setDeleted] = useState<Registry>();
  const openAdd = useCallback((): void => setFields({ add: 'registry' }), [setFields]);
  const open = useCallback((id: string): void => setFields({ entry: id }), [setFields]);
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
        note={data?.length}
        actions={registries && registries.length > 0 && addButton('small')}
      />
      <RegistriesTable
        registries={registries}
        onOpen={open}
        onEdit={setEdited}
        onDelete={setDeleted}
        empty={
          <EmptyState
            title="You haven't added any registry yet."
            hint="A registry keeps a WASM under a name, with all its versions, ready to be installed in any canister."
            action={addButton('medium')}
          />
        }
      />
      <RegistryPanel
        id={entry}
        registry={registries?.find(({ id }) => id === entry)}
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

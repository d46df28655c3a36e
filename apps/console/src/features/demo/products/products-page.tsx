import type { Product } from '@cannery/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';
import { demoPaths, pathOf } from '../demo-paths.ts';
import { DeleteProductsDialog } from './delete-products-dialog.tsx';
import { findProducts } from './products.ts';
import { ProductScreen } from './product-screen.tsx';
import { ProductsTable } from './products-table.tsx';

interface ProductsSectionProps {
  /** Undefined while they are loaded. */
  readonly products: readonly Product[] | undefined;
}

function NothingShown({ search, onClear }: { search: string; onClear: () => void }) {
  return search === '' ? (
    <EmptyState
      drawing="canisters"
      title="The shelf is empty."
      hint="What you delete does not come back; new products can be added."
      action={
        <Link to={demoPaths.createProduct} className={buttonClass({ variant: 'primary' })}>
          New product
        </Link>
      }
    />
  ) : (
    <EmptyState
      drawing="search"
      title={`No title contains '${search}'.`}
      hint="Upper and lower case differ."
      action={<Button onClick={onClear}>Clear search</Button>}
    />
  );
}

/** The table of the sample products with its search, and what can be done with the selected ones. */
function ProductsSection({ products }: ProductsSectionProps) {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const found = useMemo(() => products && findProducts(products, search), [products, search]);
  // What the search hides, or is gone, is not deleted with the rest.
  const selected = useMemo(() => found?.filter(({ id }) => chosen.has(id)) ?? [], [found, chosen]);
  const selectedIds = useMemo(() => new Set(selected.map(({ id }) => id)), [selected]);

  const select = useCallback((ids: readonly string[], on: boolean): void => {
    setChosen((before) => {
      const kept = [...before].filter((id) => !ids.includes(id));
      return new Set(on ? [...kept, ...ids] : kept);
    });
  }, []);
  const open = useCallback(
    ({ id }: Product): void => void navigate({ to: pathOf('product', id) }),
    [navigate],
  );

  return (
    <Card className="animate-entrance">
      <CardHeader
        title="Management"
        note={products?.length}
        actions={
          <>
            <SearchField
              label="Search by title"
              value={search}
              onChange={setSearch}
              className="w-56 max-sm:w-full"
            />
            <Button
              size="small"
              variant={selected.length === 0 ? 'secondary' : 'danger'}
              disabled={selected.length === 0}
              onClick={() => setAsking(true)}
            >
              {selected.length === 0 ? 'Delete selected' : `Delete ${selected.length} selected`}
            </Button>
            <Link to={demoPaths.createProduct} className={buttonClass({ variant: 'primary', size: 'small' })}>
              New product
            </Link>
          </>
        }
      />
      <ProductsTable
        products={found}
        selected={selectedIds}
        onSelect={select}
        onOpen={open}
        empty={<NothingShown search={search} onClear={() => setSearch('')} />}
      />
      {asking && selected.length > 0 && (
        <DeleteProductsDialog products={selected} onClose={() => setAsking(false)} />
      )}
    </Card>
  );
}

/** Management of the sample products. */
export function ProductsPage() {
  return (
    <ProductScreen title="Products">{(products) => <ProductsSection products={products} />}</ProductScreen>
  );
}

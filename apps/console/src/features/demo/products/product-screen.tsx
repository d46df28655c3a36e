import type { Product } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, notFound, rootRouteId, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { configQuery } from '../../../lib/shared/public-config.ts';
import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { productsQuery } from './products.ts';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { demoPaths } from '../demo-paths.ts';

interface ProductScreenProps {
  readonly title: string;
  /** Draws the screen; undefined while the products are loaded. */
  readonly children: (products: readonly Product[] | undefined) => ReactNode;
}

function Shelf({ children }: Pick<ProductScreenProps, 'children'>) {
  const { data, error, refetch } = useQuery(productsQuery);
  if (data === undefined && error !== null) {
    return (
      <Card>
        <ErrorState
          title="The sample products cannot be loaded."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Card>
    );
  }
  return children(data);
}

/** A screen of the sample products. Where the service does not offer them there is no such page, and no call. */
export function ProductScreen({ title, children }: ProductScreenProps) {
  usePageTitle(title);
  const { data: config, error, refetch } = useQuery(configQuery);
  if (config !== undefined && config.sample_products !== true)
    // Its boundary is the one that says so; those of the routes below handle errors only.
    throw notFound({ routeId: rootRouteId });
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">{title}</h1>
      {config !== undefined && <Shelf>{children}</Shelf>}
      {config === undefined && (
        <Card className="p-5">
          {error === null ? (
            <Skeleton className="w-1/2" />
          ) : (
            <ErrorState
              title="The configuration cannot be loaded."
              error={error}
              action={<Button onClick={() => void refetch()}>Try again</Button>}
            />
          )}
        </Card>
      )}
    </>
  );
}

interface OneProductProps {
  /** Undefined while they are loaded. */
  readonly products: readonly Product[] | undefined;
  readonly children: (product: Product) => ReactNode;
}

/** What is shown of the product that the address names. */
export function OneProduct({ products, children }: OneProductProps) {
  const { id } = useParams({ strict: false });
  const product = products?.find((one) => one.id === id);
  if (product !== undefined) return children(product);
  return (
    <Card>
      {products === undefined ? (
        <div className="flex flex-col gap-4 p-5">
          <Skeleton className="w-1/3" />
          <Skeleton className="h-40 w-full" />
        </div>
      ) : (
        <EmptyState
          drawing="canisters"
          title="There is no such product."
          hint="It may have been deleted."
          action={
            <Link to={demoPaths.products} className={buttonClass({ variant: 'primary' })}>
              All products
            </Link>
          }
        />
      )}
    </Card>
  );
}

import type { Product } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { notFound, rootRouteId } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { configQuery } from '../../../lib/shared/public-config.ts';
import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { productsQuery } from './products.ts';

interface ProductScreenProps {
  readonly title: string;
  /** Draws the screen; undefined while the products are loaded. */
  readonly children: (products: readonly Product[] | undefined) => ReactNode;
}

function Shelf({ children }: Pick<ProductScreenProps, 'children'>) {
  const { data, error } = useQuery(productsQuery);
  if (data === undefined && error !== null) {
    return (
      <Card>
        <ErrorState title="The sample products cannot be loaded." error={error} />
      </Card>
    );
  }
  return children(data);
}

/** A screen of the sample products. Where the service does not offer them there is no such page, and no call. */
export function ProductScreen({ title, children }: ProductScreenProps) {
  usePageTitle(title);
  const { data: config, error } = useQuery(configQuery);
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
            <ErrorState title="The configuration cannot be loaded." error={error} />
          )}
        </Card>
      )}
    </>
  );
}

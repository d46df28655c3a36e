import type { Product } from '@cannery/contract';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { demoPaths } from '../demo-paths.ts';

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

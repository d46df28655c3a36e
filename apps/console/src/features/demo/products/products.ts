import { type Product, productEndpoints, type ProductFields } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { NOT_AVAILABLE } from '../../../lib/text/formats.ts';

/** The sample products; asked for only where the service offers them. */
export const productsQuery = queryOptions({
  queryKey: ['sample-products'],
  queryFn: ({ signal }) => api.call(productEndpoints.list, { signal }),
});

/** The products whose title holds the text, letter for letter: upper and lower case differ. */
export function findProducts(products: readonly Product[], text: string): readonly Product[] {
  return text === '' ? products : products.filter(({ title }) => title?.includes(text) ?? false);
}

/** Deletes each of the products by a separate call, then reloads the list, also after a failure. */
export function useDeleteProducts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (products: readonly Product[]) => {
      const ends = await Promise.allSettled(
        products.map(({ id }) => api.call(productEndpoints.delete, { params: { id } })),
      );
      const failure = ends.find((end) => end.status === 'rejected' && !isGone(end.reason));
      if (failure?.status === 'rejected') throw failure.reason;
    },
    onSettled: () => client.invalidateQueries({ queryKey: productsQuery.queryKey }),
  });
}

/** What somebody else has deleted meanwhile need not be deleted. */
function isGone(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 404;
}

/** Adds a product, or changes the one of an id. */
export function useSaveProduct(id: string | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProductFields) =>
      id === undefined
        ? api.call(productEndpoints.create, { body })
        : api.call(productEndpoints.update, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: productsQuery.queryKey }),
  });
}

const format = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

/** A price as it is shown: €3.49. */
export function priceText(price: number | null): string {
  return price === null ? NOT_AVAILABLE : format.format(price);
}

/** Paths of the template shell's routes, as the route table has them. */
export const demoRoutes = {
  shortCreateProduct: '/app/ecommerce/create',
  shortEditProduct: '/app/ecommerce/edit/$id',
  products: '/app/ecommerce/management',
  createProduct: '/app/ecommerce/management/create',
  editProduct: '/app/ecommerce/management/edit/$id',
  product: '/app/ecommerce/product/$id',
} as const;

/** Addresses of its pages. The router knows their routes by the table only, so they are plain texts. */
export const demoPaths: Readonly<Record<'products' | 'createProduct', string>> = demoRoutes;

/** Address of a page of one thing. */
export function pathOf(route: 'product' | 'editProduct', id: string): string {
  return demoRoutes[route].replace('$id', encodeURIComponent(id));
}

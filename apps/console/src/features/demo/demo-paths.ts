/** Paths of the template shell's routes, as the route table has them. */
export const demoRoutes = {
  dashboard: '/app',
  profile: '/ics/profile',
  workspace: '/ics/profile_temp',
  shortCreateProduct: '/app/ecommerce/create',
  shortEditProduct: '/app/ecommerce/edit/$id',
  products: '/app/ecommerce/management',
  createProduct: '/app/ecommerce/management/create',
  editProduct: '/app/ecommerce/management/edit/$id',
  product: '/app/ecommerce/product/$id',
  users: '/app/users',
  createUser: '/app/users/create',
  editUser: '/app/users/edit/$id',
} as const;

type Fixed = 'dashboard' | 'profile' | 'workspace' | 'products' | 'createProduct' | 'users' | 'createUser';

/** Addresses of its pages. The router knows their routes by the table only, so they are plain texts. */
export const demoPaths: Readonly<Record<Fixed, string>> = demoRoutes;

/** Address of a page of one thing. */
export function pathOf(route: 'product' | 'editProduct' | 'editUser', id: string): string {
  return demoRoutes[route].replace('$id', encodeURIComponent(id));
}

export { type Api, createApi } from './api.ts';
export { type Product, type ProductOptions, startProduct } from './product.ts';
export { git, pushFolder } from './repositories.ts';
export { signIn } from './sign-in.ts';

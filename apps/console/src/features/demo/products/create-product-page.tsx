import { ProductForm } from './product-form.tsx';
import { ProductScreen } from './product-screen.tsx';

/** The empty form of a product. */
export function CreateProductPage() {
  return <ProductScreen title="New product">{() => <ProductForm product={undefined} />}</ProductScreen>;
}

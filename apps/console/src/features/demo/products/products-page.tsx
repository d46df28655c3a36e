import { ProductScreen } from './product-screen.tsx';
import { ProductsSection } from './products-section.tsx';

/** Management of the sample products. */
export function ProductsPage() {
  return (
    <ProductScreen title="Products">{(products) => <ProductsSection products={products} />}</ProductScreen>
  );
}

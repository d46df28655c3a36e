import { OneProduct } from './one-product.tsx';
import { ProductForm } from './product-form.tsx';
import { ProductScreen } from './product-screen.tsx';

/** The form of a product, filled with it. */
export function EditProductPage() {
  return (
    <ProductScreen title="Edit product">
      {(products) => (
        <OneProduct products={products}>
          {(product) => <ProductForm key={product.id} product={product} />}
        </OneProduct>
      )}
    </ProductScreen>
  );
}

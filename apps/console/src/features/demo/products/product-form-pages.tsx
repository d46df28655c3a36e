import { OneProduct, ProductScreen } from './product-screen.tsx';
import { ProductForm } from './product-form.tsx';

/** The empty form of a product. */
export function CreateProductPage() {
  return <ProductScreen title="New product">{() => <ProductForm product={undefined} />}</ProductScreen>;
}

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

import type { Product } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { shown } from '../../../lib/text/formats.ts';
import { demoPaths, pathOf } from '../demo-paths.ts';
import { CanPicture } from '../pictures/can-picture.tsx';
import { DeleteProductsDialog } from './delete-products-dialog.tsx';
import { OneProduct, ProductScreen } from './product-screen.tsx';
import { priceText } from './products.ts';
import { Rating } from './rating.tsx';

function ProductView({ product }: { product: Product }) {
  const [asking, setAsking] = useState(false);
  const { id, img, title, subtitle, price, rating } = product;
  return (
    <Card className="flex animate-entrance gap-8 p-5 max-sm:flex-col">
      <div className="grid w-72 shrink-0 place-items-center rounded-card bg-sunken p-8 max-sm:w-full">
        <CanPicture name={img} className="h-56" />
      </div>
      <div className="flex min-w-0 flex-col items-start gap-3 py-2">
        <h2 className="text-2xl font-semibold tracking-tight wrap-anywhere">{shown(title)}</h2>
        <p className="text-base text-muted wrap-anywhere">{shown(subtitle)}</p>
        <Rating rating={rating} />
        <p className="text-2xl font-semibold">{priceText(price)}</p>
        <p className="flex items-center gap-2 text-sm text-muted">
          Id <IdText id={id} of="product id" short />
        </p>
        <div className="mt-auto flex flex-wrap gap-2 pt-3">
          <Link to={pathOf('editProduct', id)} className={buttonClass({ variant: 'primary' })}>
            Edit
          </Link>
          <Button onClick={() => setAsking(true)}>Delete</Button>
          <Link to={demoPaths.products} className={buttonClass({ variant: 'ghost' })}>
            All products
          </Link>
        </div>
      </div>
      {asking && <DeleteProductsDialog products={[product]} onClose={() => setAsking(false)} />}
    </Card>
  );
}

/** One sample product. */
export function ProductPage() {
  return (
    <ProductScreen title="Product">
      {(products) => (
        <OneProduct products={products}>{(product) => <ProductView product={product} />}</OneProduct>
      )}
    </ProductScreen>
  );
}

import type { ProductPicture } from '@cannery/contract';
import type { Generated, GeneratedAlways } from 'kysely';

/** A user whose sample products have been put there once; what is deleted does not come back. */
interface ProductShelvesTable {
  user_id: string;
  filled_at: Generated<Date>;
}

export interface ProductsTable {
  id: string;
  /** Order in which they came. */
  seq: GeneratedAlways<number>;
  user_id: string;
  img: ProductPicture;
  title: string;
  subtitle: string;
  /** Hundredths, so that a price is exact. */
  price_cents: number;
  /** Tenths of a star. */
  rating_tenths: number;
}

export interface ProductTables {
  product_shelves: ProductShelvesTable;
  products: ProductsTable;
}

import { z } from 'zod';
import { decimalText, readDecimal } from './texts/decimal-text.ts';
import { endpoint } from './endpoint.ts';
import { entityOf, outcome, type ReadObject, rowsOf } from './texts/reading.ts';

/** Pictures that a sample product can have; the console draws them, so that no address of a picture travels. */
export const productPictures = [
  'peaches',
  'tomatoes',
  'sardines',
  'beans',
  'corn',
  'olives',
  'pears',
  'mushrooms',
  'cherries',
  'soup',
  'honey',
  'pickles',
] as const;
export type ProductPicture = (typeof productPictures)[number];

/** Longest texts of a sample product, in characters. */
export const productLimits = { title: 100, subtitle: 200 } as const;

/** Highest price of a sample product. */
export const MAX_PRICE = 1_000_000;

/** Most sample products of one user. */
export const MAX_PRODUCTS = 500;

const PRICE_HINT = `The price is a number from 0 to ${MAX_PRICE.toLocaleString('en')} with at most 2 decimals.`;
const RATING_HINT = 'The rating is a number from 0 to 5 with at most 1 decimal.';

/** Whether a number has no more than this many decimals as people write it. */
function hasDecimals(value: number, most: number): boolean {
  return Number(value.toFixed(most)) === value;
}

/** What is kept of a sample product, as its form sends it. */
export const productFields = z.object({
  img: z.enum(productPictures, { error: 'Choose one of the pictures.' }),
  title: z
    .string()
    .trim()
    .min(1, { message: 'Title is required.' })
    .max(productLimits.title, { message: `The title can have at most ${productLimits.title} characters.` }),
  subtitle: z
    .string()
    .trim()
    .max(productLimits.subtitle, {
      message: `The subtitle can have at most ${productLimits.subtitle} characters.`,
    }),
  price: z
    .number({ error: PRICE_HINT })
    .min(0, { error: PRICE_HINT })
    .max(MAX_PRICE, { error: PRICE_HINT })
    .refine((price) => hasDecimals(price, 2), { error: PRICE_HINT }),
  rating: z
    .number({ error: RATING_HINT })
    .min(0, { error: RATING_HINT })
    .max(5, { error: RATING_HINT })
    .refine((rating) => hasDecimals(rating, 1), { error: RATING_HINT }),
});
export type ProductFields = z.infer<typeof productFields>;

const typedNumber = z.string().transform((text) => {
  const reading = readDecimal(text);
  return 'decimal' in reading ? Number(decimalText(reading.decimal)) : Number.NaN;
});

/** The form of a sample product: its numbers as they are typed. */
export const productForm = productFields.extend({
  price: typedNumber.pipe(productFields.shape.price),
  rating: typedNumber.pipe(productFields.shape.rating),
});

/** A sample product: shows what a shop built on the console's parts looks like, and means nothing else. */
export const product = productFields.extend({ id: z.string() });
export type ProductAnswer = z.infer<typeof product>;
export type Product = ReadObject<ProductAnswer>;

const idParams = z.object({ id: z.string().min(1) });

/** There only while the service offers its sample products (`sample_products` of its configuration). */
export const productEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/products',
    summary: 'Sample products of the user; the first call of a user fills the shelf',
    signedIn: true,
    response: z.array(product),
    reading: rowsOf(product),
  }),
  create: endpoint({
    method: 'POST',
    path: '/products',
    summary: 'Adds a sample product',
    signedIn: true,
    body: productFields,
    response: product,
    reading: entityOf(product),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/products/{id}',
    summary: 'Changes a sample product',
    signedIn: true,
    params: idParams,
    body: productFields,
    response: product,
    reading: entityOf(product),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/products/{id}',
    summary: 'Deletes a sample product',
    signedIn: true,
    params: idParams,
    response: z.object({ message: z.string() }),
    reading: outcome,
  }),
};

import type { Product } from '@cannery/contract';

/** The products whose title holds the text, letter for letter: upper and lower case differ. */
export function findProducts(products: readonly Product[], text: string): readonly Product[] {
  return text === '' ? products : products.filter(({ title }) => title?.includes(text) ?? false);
}

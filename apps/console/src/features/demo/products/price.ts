import { NOT_AVAILABLE } from '../../../lib/text/formats.ts';

const format = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

/** A price as it is shown: €3.49. */
export function priceText(price: number | null): string {
  return price === null ? NOT_AVAILABLE : format.format(price);
}

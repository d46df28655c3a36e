/** Where the API is when the page does not say: on its own origin. */
const DEFAULT_API_BASE = '/api';

/**
 * The API's base address as whoever serves the page has written it there (`<meta name="cannery-api">`): a path, or an
 * address on another origin. Without slash at its end.
 */
export function apiBaseOf(page: Pick<Document, 'querySelector'> | undefined): string {
  const given = page?.querySelector('meta[name="cannery-api"]')?.getAttribute('content')?.trim();
  return (given || DEFAULT_API_BASE).replace(/(?<!\/)\/+$/, '');
}

/** Address of the service, without slash at its end. */
export const API_BASE: string = apiBaseOf(globalThis.document);

export const PRODUCT_NAME = 'Cannery';

export const VERSION = '1.0.0';

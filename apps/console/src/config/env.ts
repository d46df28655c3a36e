import { apiBaseOf } from './api-base.ts';

/** Address of the service, without slash at its end. */
export const API_BASE: string = apiBaseOf(globalThis.document);

export const PRODUCT_NAME = 'Cannery';

export const VERSION = '1.0.0';

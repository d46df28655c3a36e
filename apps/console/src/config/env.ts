/** Address of the service; another origin can be set when the console is built. */
export const API_BASE: string = (import.meta.env['VITE_API_BASE'] ?? '/api').replace(/\/$/, '');

export const PRODUCT_NAME = 'Cannery';

export const VERSION = '1.0.0';

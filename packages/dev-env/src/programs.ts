import { fileURLToPath } from 'node:url';

/** Folder of the checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What Node runs to start the product: as `npm` has built it, else its source. */
export const serverProgram = process.env['SERVER_PROGRAM'] ?? `${root}apps/server/src/main.ts`;

/** What Node runs where a test wants the product, whatever it consists of: several processes, say. */
export const productProgram = process.env['PRODUCT_PROGRAM'] ?? serverProgram;

/** The same for a network alone. */
export const networkProgram = process.env['NETWORK_PROGRAM'] ?? `${root}packages/network/src/cli.ts`;

import { fileURLToPath } from 'node:url';

/** Folder of the checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What Node runs to start the product: as `npm` has built it, else its source. */
export const serverProgram = process.env['SERVER_PROGRAM'] ?? `${root}apps/server/src/main.ts`;

/** The same for a network alone. */
export const networkProgram = process.env['NETWORK_PROGRAM'] ?? `${root}packages/network/src/cli.ts`;

import { Store } from '../../../lib/browser/store.ts';

/**
 * The canister that was created last, until what to do with it next is chosen or waved away. Canisters are created from the list and
 * from the palette; the list tells what comes next.
 */
export const createdCanister = new Store<string | undefined>(undefined);

import type { DappKind } from '@cannery/contract';

/** What dapps are, for people. */
export const kindNames: Readonly<Record<DappKind, string>> = {
  website: 'Website',
  token: 'Token',
  tool: 'Tool',
};

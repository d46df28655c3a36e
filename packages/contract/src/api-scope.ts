/** What an API token may be allowed to do. An endpoint says which of these it takes; without one it takes no token. */
export const apiScopes = ['deploys:read', 'deploys:run'] as const;
export type ApiScope = (typeof apiScopes)[number];

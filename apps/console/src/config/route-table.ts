/** Who may open a route; a signed-out visitor of any other is sent to the sign-in page. */
type Access = 'any' | 'signed out only' | 'signed in';

interface RouteRow {
  /** `$name` marks a part of the address that varies. */
  readonly path: string;
  readonly access: Access;
  /** Part of the template shell, which is features/demo. */
  readonly demo?: true;
}

/** Every route that the specification names (point 2), those it implies (OP-09, OP-53, OP-54), and the address of a run. */
export const routeTable = [
  { path: '/', access: 'any' },
  { path: '/login', access: 'signed out only' },
  { path: '/documentation', access: 'any' },
  { path: '/documentation/getting-started/quick-start', access: 'any' },
  { path: '/documentation/components/typography', access: 'any' },
  { path: '/documentation/components/header', access: 'any' },
  { path: '/documentation/components/sidebar', access: 'any' },
  { path: '/documentation/components/buttons', access: 'any' },
  { path: '/ics/dashboard', access: 'signed in' },
  { path: '/ics/canisters', access: 'signed in' },
  { path: '/canisters', access: 'signed in' },
  { path: '/ics/canister/$id', access: 'signed in' },
  { path: '/ics/dapp/$id', access: 'signed in' },
  { path: '/ics/profile', access: 'signed in', demo: true },
  { path: '/ics/profile_temp', access: 'signed in', demo: true },
  { path: '/ics/registries', access: 'signed in' },
  { path: '/ics/marketplace', access: 'signed in' },
  { path: '/ics/account', access: 'signed in' },
  { path: '/ics/deploy', access: 'signed in' },
  { path: '/ics/deploy/new', access: 'signed in' },
  { path: '/ics/deploy/$id', access: 'signed in' },
  { path: '/ics/deploy/$id/$tab', access: 'signed in' },
  { path: '/ics/deploy/$id/runs/$runId', access: 'signed in' },
  { path: '/ics/pipelines/create', access: 'signed in' },
  { path: '/app', access: 'any', demo: true },
  { path: '/app/users', access: 'any', demo: true },
  { path: '/app/users/create', access: 'any', demo: true },
  { path: '/app/users/edit/$id', access: 'any', demo: true },
  { path: '/app/ecommerce/management', access: 'signed in', demo: true },
  { path: '/app/ecommerce/management/create', access: 'signed in', demo: true },
  { path: '/app/ecommerce/management/edit/$id', access: 'signed in', demo: true },
  { path: '/app/ecommerce/create', access: 'signed in', demo: true },
  { path: '/app/ecommerce/edit/$id', access: 'signed in', demo: true },
  { path: '/app/ecommerce/product/$id', access: 'signed in', demo: true },
] as const satisfies readonly RouteRow[];

/** The routes of the template shell, by who may open them. */
export function demoPaths(access: Access): string[] {
  return routeTable.flatMap((row) => ('demo' in row && row.access === access ? [row.path] : []));
}

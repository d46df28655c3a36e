/** Who may open a route; a signed-out visitor of any other is sent to the sign-in page. */
type Access = 'any' | 'signed out only' | 'signed in';

interface RouteRow {
  /** `$name` marks a part of the address that varies. */
  readonly path: string;
  readonly access: Access;
}

/** Routes of the template shell, which is features/demo. The router reads these rows only, and a browser loads no others. */
const demoTable = [
  { path: '/ics/profile', access: 'signed in' },
  { path: '/ics/profile_temp', access: 'signed in' },
  { path: '/app', access: 'any' },
  { path: '/app/users', access: 'any' },
  { path: '/app/users/create', access: 'any' },
  { path: '/app/users/edit/$id', access: 'any' },
  { path: '/app/ecommerce/management', access: 'signed in' },
  { path: '/app/ecommerce/management/create', access: 'signed in' },
  { path: '/app/ecommerce/management/edit/$id', access: 'signed in' },
  { path: '/app/ecommerce/create', access: 'signed in' },
  { path: '/app/ecommerce/edit/$id', access: 'signed in' },
  { path: '/app/ecommerce/product/$id', access: 'signed in' },
] as const satisfies readonly RouteRow[];

/** Every route that the specification names (point 2), those it implies (OP-09, OP-53, OP-54), the list of DApps alone, and the address of a run. */
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
  { path: '/ics/dapps', access: 'signed in' },
  { path: '/ics/canister/$id', access: 'signed in' },
  { path: '/ics/dapp/$id', access: 'signed in' },
  { path: '/ics/registries', access: 'signed in' },
  { path: '/ics/marketplace', access: 'signed in' },
  { path: '/ics/account', access: 'signed in' },
  { path: '/ics/deploy', access: 'signed in' },
  { path: '/ics/deploy/new', access: 'signed in' },
  { path: '/ics/deploy/$id', access: 'signed in' },
  { path: '/ics/deploy/$id/$tab', access: 'signed in' },
  { path: '/ics/deploy/$id/runs/$runId', access: 'signed in' },
  { path: '/ics/pipelines/create', access: 'signed in' },
  ...demoTable,
] as const satisfies readonly RouteRow[];

/** The routes of the template shell, by who may open them. */
export function demoPaths(access: Access): string[] {
  return demoTable.filter((row) => row.access === access).map(({ path }) => path);
}

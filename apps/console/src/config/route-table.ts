import { demoTable, type RouteRow } from './demo-routes.ts';

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

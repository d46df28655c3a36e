import type { Section } from './figures.ts';

/** What `npm run bench` measures, in this order. */
export const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  execution: async () => (await import('./network/execution.ts')).execution,
  calls: async () => (await import('./network/calls.ts')).calls,
  queries: async () => (await import('./network/queries.ts')).queries,
  gateway: async () => (await import('./network/gateway.ts')).gateway,
  sites: async () => (await import('./network/sites.ts')).sites,
  density: async () => (await import('./network/density.ts')).density,
  starts: async () => (await import('./network/starts.ts')).starts,
  services: async () => (await import('./network/services.ts')).services,
  doubling: async () => (await import('./doubling/doubling.ts')).doubling,
  runaway: async () => (await import('./network/runaway.ts')).runaway,
  tenants: async () => (await import('./tenants/tenants.ts')).tenants,
  apis: async () => (await import('./roles/apis.ts')).apis,
  payments: async () => (await import('./payments/payments.ts')).payments,
  deploys: async () => (await import('./deploys/deploys.ts')).deploys,
  lists: async () => (await import('./lists/lists.ts')).longLists,
  pages: async () => (await import('./console/long-pages.ts')).longPages,
  bundle: async () => (await import('./console/bundle.ts')).bundle,
  transferred: async () => (await import('./console/transferred.ts')).transferred,
  console: async () => (await import('./console/console.ts')).consoleSpeed,
  paint: async () => (await import('./console/paint.ts')).paint,
  live: async () => (await import('./console/live.ts')).live,
};

/** Sections in whose process the network's engine runs: it gets the environment of the network's process. */
export const WITH_ENGINE: ReadonlySet<string> = new Set(['execution', 'density']);

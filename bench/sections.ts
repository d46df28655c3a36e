import type { Section } from './figures.ts';

/** What `npm run bench` measures, in this order. */
export const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  execution: async () => (await import('./network/execution.ts')).execution,
  calls: async () => (await import('./network/calls.ts')).calls,
  gateway: async () => (await import('./network/gateway.ts')).gateway,
  runaway: async () => (await import('./network/runaway.ts')).runaway,
};

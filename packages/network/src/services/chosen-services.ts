import { UsageError } from '../usage-error.ts';

/** What the network brings with it, by the names that `NETWORK_SERVICES` and `--services` know. */
export const SERVICES = ['icp-ledger', 'cycles-ledger', 'cmc', 'internet-identity', 'candid-ui'] as const;
export type Service = (typeof SERVICES)[number];

/** What a service cannot work without. */
const NEEDS: Partial<Readonly<Record<Service, readonly Service[]>>> = {
  cmc: ['icp-ledger', 'cycles-ledger'],
};

/** Whether some are canisters: the Candid page is none. */
export function hasCanisters(services: ReadonlySet<Service>): boolean {
  return [...services].some((service) => service !== 'candid-ui');
}

/**
 * The services of `default` (all), `none`, or a list of names with commas.
 * @throws UsageError for a name that is none, or a service without one that it needs
 */
export function readServices(text: string): ReadonlySet<Service> {
  if (text === 'default') return new Set(SERVICES);
  if (text === 'none') return new Set();
  const chosen = new Set(text.split(',').map((name) => serviceOf(name.trim())));
  for (const service of chosen) {
    const missing = NEEDS[service]?.find((needed) => !chosen.has(needed));
    if (missing !== undefined) throw new UsageError(`The service ${service} needs ${missing} as well.`);
  }
  return chosen;
}

function serviceOf(name: string): Service {
  const service = SERVICES.find((each) => each === name);
  if (service !== undefined) return service;
  throw new UsageError(`Services are default, none, or a list of ${SERVICES.join(', ')}; not "${name}".`);
}

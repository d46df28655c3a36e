import { badRequest } from '../../http/transport/request-error.ts';
import { fieldsOf, optionalField } from './fields.ts';
import type { Json } from './json.ts';

/** System canisters that an instance can begin with, by their names in `icp_features`, and the subnet each is on. */
const AVAILABLE = {
  icp_token: 'nns',
  cycles_minting: 'nns',
  cycles_token: 'ii',
  ii: 'ii',
} as const;

/** What others bring that this program does not have. */
const MISSING: Readonly<Record<string, string>> = {
  registry: 'the registry canister',
  nns_governance: 'the governance and root canisters of the NNS',
  sns: 'the canisters that make an SNS',
  nns_ui: 'the NNS dapp',
  bitcoin: 'the Bitcoin canister',
  dogecoin: 'the Dogecoin canister',
  canister_migration: 'the canister that migrates canisters',
};

/** A system canister that an instance can begin with. */
export type Feature = keyof typeof AVAILABLE;

/** Longest part of a name that a refusal repeats. */
const MOST_SHOWN = 50;

/**
 * Reads `icp_features`: which system canisters an instance is to begin with. Throws `RequestError` 400 that names each one
 * that is not here.
 */
export function readFeatures(value: Json | undefined): ReadonlySet<Feature> {
  const fields = fieldsOf(value ?? {}, 'icp_features');
  const wanted = Object.keys(fields).filter((name) => optionalField(fields, name) !== undefined);
  const missing = wanted.filter((name) => !Object.hasOwn(AVAILABLE, name));
  if (missing.length > 0)
    throw badRequest(
      `These icp_features are not available here: ${missing.slice(0, MOST_SHOWN).map(described).join(', ')}.`,
    );
  const other = wanted.find((name) => fields[name] !== 'DefaultConfig');
  if (other !== undefined) throw badRequest(`The feature ${other} has the configuration DefaultConfig only.`);
  return new Set(wanted as Feature[]);
}

function described(name: string): string {
  const what = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined;
  return what === undefined ? name.slice(0, MOST_SHOWN) : `${name} (${what})`;
}

/** The fields of `subnet_config_set` whose subnets the features are on; an instance has them though nobody asked. */
export function subnetsOf(features: ReadonlySet<Feature>): ReadonlySet<string> {
  return new Set([...features].map((feature) => AVAILABLE[feature]));
}

import * as contract from '@cannery/contract';
import type { Endpoint } from '@cannery/contract';
import { z } from 'zod';
import type { WireCall } from '../support/wire.ts';

/** Kinds of things that belong to one user and are named in calls. */
export const kinds = [
  'canister',
  'document',
  'icon',
  'registry',
  'dapp',
  'version',
  'snapshot',
  'deploy',
  'outside',
  'hook',
  'instance',
  'refused',
  'rollback',
  'token',
  'apiToken',
  'session',
  'repository',
  'commit',
  'owner',
  'product',
] as const;
export type Kind = (typeof kinds)[number];

/** One of each kind: of a user, or of nobody. */
export type Holdings = Readonly<Record<Kind, string>>;

/** All calls of the contract, found by themselves: a call added to it is in this list. */
export const contractCalls: readonly (readonly [string, Endpoint])[] = Object.entries(contract)
  .filter(([name]) => name.endsWith('Endpoints'))
  .flatMap(([, calls]) => Object.values(calls as Record<string, Endpoint>))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

/** What an `id` or `identifier` in a path names, by what comes before it. A string is a fixed value that is nobody's. */
const idByPath: readonly (readonly [RegExp, { kind: Kind } | { value: string }])[] = [
  [/^\/(?:canister|statuslogs)\//, { kind: 'canister' }],
  [/^\/registry\//, { kind: 'registry' }],
  [/^\/marketplace\/interface\//, { kind: 'version' }],
  [/^\/marketplace\//, { kind: 'dapp' }],
  // Only a deploy of another git host has a webhook.
  [/^\/deploy\/\{id\}\/hook$/, { kind: 'outside' }],
  // Its newest run is a rollback, whatever the other calls start.
  [/\/undo$/, { kind: 'outside' }],
  [/^\/deploy\//, { kind: 'deploy' }],
  [/^\/document\//, { kind: 'icon' }],
  [/^\/repository\/tokens\//, { kind: 'token' }],
  [/^\/api-tokens\//, { kind: 'apiToken' }],
  [/^\/session\//, { kind: 'session' }],
  [/^\/products\//, { kind: 'product' }],
  [/^\/repository\/templates\//, { value: 'static-site' }],
];

const kindByField: Readonly<Record<string, Kind>> = {
  canister_id: 'canister',
  identifier: 'document',
  wasm: 'document',
  icon: 'icon',
  registry: 'registry',
  snapshot_id: 'snapshot',
  replace: 'snapshot',
  repo: 'repository',
  repo_name: 'repository',
  commit: 'commit',
  owner: 'owner',
  deploy_ids: 'deploy',
};

/** Fields that name a list of things; they are filled with one. */
const LISTS = ['deploy_ids'];

/** Values of fields that name nothing; a choice from a list and a yes or no need none. Undefined leaves a field out. */
const valueByField: Readonly<Record<string, unknown>> = {
  name: 'Filled in',
  new_name: 'filled-in',
  label: 'Filled in',
  add_tags: ['filled in'],
  remove_tags: [],
  // The canister of the residents' deploys, which every project of one canister has.
  canister: 'main',
  canisters: ['main'],
  branch: 'main',
  default_branch: 'main',
  path: '',
  amount: 0.01,
  mode: 'reinstall',
  settings: { freezing_threshold: '1234567' },
  search: '',
  before: '5',
  limit: '10',
  number: '1',
  from: '1',
  to: '1',
  build_command: 'true',
  build_cmd: 'true',
  publish_directory: '.',
  publish_dir: '.',
  argument: '()',
  method: 'of',
  // The hash of a module is nobody's: what is answered are the caller's canisters that run it.
  module: '0'.repeat(64),
  // A canister whose picture a dapp takes; canister-pictures.integration.test.ts tries it as somebody else.
  picture: undefined,
  // Chosen by the service.
  expires_at: undefined,
  breaking_changes: 'ask',
  snapshots: 'try',
  health_call: { canister: '', method: 'health', argument: '()', expected: '(true)', deadline: 20 },
  starting_cycles: [{ canister: 'main', amount: 3 }],
  install_arguments: [{ canister: 'main', argument: '()' }],
  deploy_without: ['main'],
  watch_paths: ['src/**'],
  deploy_tags: 'v*',
  root_directory: '',
  // The deploy of the matrix is of a type without commands and without a website; site-names.integration.test.ts tries a name as others.
  variables: [],
  site_name: undefined,
  // Takes the place of `argument`, and is a choice of upgrades: both together are refused for that alone.
  argument_hex: undefined,
  wasm_memory_persistence: undefined,
  // Takes the place of owner and name; outside-repositories.integration.test.ts tries it as somebody else.
  url: undefined,
  // Takes the place of owner and name as well, and is everybody's.
  template: undefined,
  minutes: 60,
  token: 'no-such-token',
  // internet-identity.integration.test.ts tries these as somebody else; the matrix does not offer it.
  challenge: 'A'.repeat(43),
  public_key: 'AAAA',
  delegations: [{ public_key: 'AAAA', expiration: '1', signature: 'AAAA' }],
  signature: 'AAAA',
  // github-attacks.integration.test.ts tries these as somebody else; the matrix has no GitHub.
  code: 'no-such-code',
  state: '{}',
  installation_id: 1,
  git_url: 'https://example.org/filled/in',
  description: 'Filled in',
  version: '1.0.0',
  notes: 'Filled in',
  kind: 'tool',
  sort: 'newest',
  uploader: 'nobody',
  sample: 'Poll',
  seconds: 1,
  title: 'Filled in',
  subtitle: 'Filled in',
  price: 1.5,
  rating: 4,
  stars: 4,
  offset: '0',
  scopes: ['deploys:read'],
  expires_in_days: 30,
};

/** What everybody calls a paid request: keys are each user's own, so that of another must lead to nothing. */
export function keyFor(path: string): string {
  return `filled in: ${path}`;
}

/** A place in a call that holds a value. */
export interface Slot {
  readonly place: 'params' | 'query' | 'body';
  readonly name: string;
  readonly kind?: Kind;
  readonly value?: unknown;
}

/** The run that a call names. */
function runOf({ path }: Endpoint): Kind {
  if (path.endsWith('/publish')) return 'refused';
  return path.endsWith('/undo') ? 'rollback' : 'instance';
}

/**
 * The places of a call, those with what they name first.
 * @throws Error for a place that the tables above do not know: a new call's ids must be named here
 */
export function slotsOf(endpoint: Endpoint): Slot[] {
  return (['params', 'query', 'body'] as const).flatMap((place) =>
    propertiesOf(endpoint[place]).map(([name, { enum: choices, type }]): Slot => {
      if ((name === 'id' || name === 'identifier') && place === 'params') {
        const found = idByPath.find(([path]) => path.test(endpoint.path));
        if (found !== undefined) return { place, name, ...found[1] };
      }
      const kind = name === 'instanceId' ? runOf(endpoint) : kindByField[name];
      if (kind !== undefined) return { place, name, kind };
      const value = valueByField[name];
      // `canisters` names some of them in one call; in another it says by a choice what becomes of them.
      const fits = choices === undefined || value === undefined || choices.includes(String(value));
      if (Object.hasOwn(valueByField, name) && fits) return { place, name, value };
      if (choices !== undefined) return { place, name, value: choices[0] };
      if (type === 'boolean') return { place, name, value: false };
      throw new Error(`Nobody has said what ${name} in the ${place} of ${endpoint.path} names.`);
    }),
  );
}

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
}

function propertiesOf(schema: z.ZodType | undefined): [string, Property][] {
  if (schema === undefined) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Property>);
}

const BOUNDARY = 'matrix';

/** A call with every place filled. @param holdingOf whose thing is named at a place */
export function filledCall(
  endpoint: Endpoint,
  holdingOf: (slot: Slot & { kind: Kind }) => string,
  file: Buffer = Buffer.from('no module'),
): WireCall {
  const values: Record<Slot['place'], Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const slot of slotsOf(endpoint)) {
    const { kind } = slot;
    const value = kind === undefined ? slot.value : holdingOf({ ...slot, kind });
    if (value !== undefined) values[slot.place][slot.name] = LISTS.includes(slot.name) ? [value] : value;
  }
  const content = contentOf(endpoint, values.body, file);
  const query = new URLSearchParams(values.query as Record<string, string>).toString();
  const path = `/api${contract.fillPath(endpoint.path, values.params as Record<string, string>)}`;
  return {
    method: endpoint.method,
    path: query === '' ? path : `${path}?${query}`,
    ...content,
    headers: {
      ...content.headers,
      ...(endpoint.idempotent && { 'idempotency-key': keyFor(endpoint.path) }),
    },
  };
}

function contentOf(endpoint: Endpoint, body: object, file: Buffer): Pick<WireCall, 'headers' | 'body'> {
  if (endpoint.upload !== undefined) {
    const head = `Content-Disposition: form-data; name="${endpoint.upload}"; filename="a"`;
    return {
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: Buffer.concat([
        Buffer.from(`--${BOUNDARY}\r\n${head}\r\nContent-Type: application/wasm\r\n\r\n`),
        file,
        Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
      ]),
    };
  }
  if (endpoint.method === 'GET') return {};
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

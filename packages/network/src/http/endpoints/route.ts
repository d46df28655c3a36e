import { Principal } from '@icp-sdk/core/principal';
import { badRequest } from '../transport/request-error.ts';

/** What may be asked for at an address of the API. */
type Endpoint = 'call' | 'query' | 'read_state';

/** A request to the API of a canister or of the subnet. */
export interface ApiRoute {
  readonly scope: 'canister' | 'subnet';
  readonly endpoint: Endpoint;
  readonly version: number;
  /** The effective canister or subnet id in the URL. */
  readonly target: Uint8Array;
}

/** Versions an agent may ask for. They differ in how certificates of other subnets are delegated, so not here. */
const VERSIONS: Readonly<Record<ApiRoute['scope'], Readonly<Record<Endpoint, readonly number[]>>>> = {
  canister: { call: [2, 3, 4], query: [2, 3], read_state: [2, 3] },
  subnet: { call: [4], query: [3], read_state: [2, 3, 4] },
};

const PATTERN = /^\/api\/v(\d)\/(canister|subnet)\/([^/]+)\/(call|query|read_state)$/;

/** Routes that were asked for before: an address has a checksum that takes longer to check than a request to read. */
const MAX_KNOWN = 1000;
const known = new Map<string, ApiRoute>();

/** The API route that `path` names, or undefined. Throws `RequestError` 400 when the id in it is malformed. */
export function parseRoute(path: string): ApiRoute | undefined {
  const before = known.get(path);
  if (before) return before;
  const route = parseFresh(path);
  if (!route) return undefined;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(path, route);
  return route;
}

function parseFresh(path: string): ApiRoute | undefined {
  const [, versionText, scopeText, id, endpointText] = PATTERN.exec(path) ?? [];
  if (!versionText || !id) return undefined;
  const scope = scopeText as ApiRoute['scope'];
  const endpoint = endpointText as Endpoint;
  const version = Number(versionText);
  if (!VERSIONS[scope][endpoint].includes(version)) return undefined;
  return { scope, endpoint, version, target: parsePrincipal(id) };
}

/** The bytes of a principal in its text form. Throws `RequestError` 400. */
export function parsePrincipal(text: string): Uint8Array {
  try {
    return Principal.fromText(text).toUint8Array();
  } catch {
    throw badRequest(`"${text}" is not a principal`);
  }
}

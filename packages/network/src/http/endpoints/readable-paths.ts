import { equalBytes, hex } from '@cannery/ic/certification/bytes';
import type { StateTree } from '@cannery/ic/certification/tree/state-tree';
import { type Authorization, principalText } from '../identity/authentication.ts';
import { badRequest, forbidden, notFound } from '../transport/request-error.ts';
import type { ApiRoute } from './route.ts';

/** Who reads, and where: the sender, and the canister or subnet in the URL. */
export interface Reader {
  readonly sender: Uint8Array;
  readonly targets: Authorization['targets'];
  readonly scope: ApiRoute['scope'];
  readonly version: number;
  readonly target: Uint8Array;
  /** This network's only subnet. */
  readonly rootSubnet: Uint8Array;
}

type Path = readonly Uint8Array[];

const decoder = new TextDecoder('utf-8', { fatal: true });
const REQUEST_FIELDS = new Set(['status', 'reply', 'reject_code', 'reject_message', 'error_code']);
const CANISTER_FIELDS = new Set([
  'controllers',
  'module_hash',
  'canister_creation_timestamp',
  'last_install_timestamp',
]);
const SUBNET_FIELDS = new Set(['public_key', 'type', 'node']);
const BOUNDARY_NODE_FIELDS = new Set(['domain', 'ipv4_address', 'ipv6_address']);
const REQUEST_ID_LENGTH = 32;

/**
 * Throws `RequestError` unless every path may be read (interface specification, "Request: Read state"): the
 * status of a call only by its sender, private metadata only by controllers, certified data by nobody. What the
 * specification leaves open is as in the replica (dfinity/ic, `rs/http_endpoints/public/src/read_state.rs`).
 */
export function checkReadable(paths: readonly Path[], reader: Reader, state: StateTree): void {
  let request: Uint8Array | undefined;
  let subnet: Uint8Array | undefined;
  for (const path of paths) {
    const [first, second] = path;
    switch (text(first)) {
      case 'request_status':
        checkRequestPath(path, reader, state);
        if (request && second && !equalBytes(request, second)) {
          throw badRequest(
            `More than one non-unique request ID exists in request_status paths: 0x${hex(request)} and 0x${hex(second)}.`,
          );
        }
        request = second;
        break;
      case 'canister_ranges':
        checkRangesPath(path, reader);
        if (subnet && second && !equalBytes(subnet, second)) {
          throw badRequest('All canister_ranges paths of a request must name the same subnet.');
        }
        subnet = second;
        break;
      default:
        checkPath(path, reader, state);
    }
  }
}

function checkPath(path: Path, reader: Reader, state: StateTree): void {
  switch (text(path[0])) {
    case 'time':
      return allow(path.length === 1);
    case 'api_boundary_nodes':
      return allow(path.length < 3 || (path.length === 3 && BOUNDARY_NODE_FIELDS.has(text(path[2]) ?? '')));
    case 'subnet':
      return checkSubnetPath(path, reader);
    case 'canister':
      return checkCanisterPath(path, reader, state);
    default:
      throw notFound('Invalid path requested.');
  }
}

function allow(isAllowed: boolean): void {
  if (!isAllowed) throw notFound('Invalid path requested.');
}

function checkSubnetPath(path: Path, { scope, version, target, rootSubnet }: Reader): void {
  const [, subnetId, fieldLabel, , nodeFieldLabel] = path;
  if (!subnetId || !fieldLabel) return;
  const field = text(fieldLabel) ?? '';
  if (field === 'node' && path.length > 3) {
    return allow(path.length === 4 || (path.length === 5 && text(nodeFieldLabel) === 'public_key'));
  }
  if (field === 'metrics' && path.length === 3 && scope === 'subnet') return checkPrincipal(subnetId, target);
  if (field === 'canister_ranges' && path.length === 3) {
    return allow(version === 2 || equalBytes(subnetId, rootSubnet));
  }
  allow(path.length === 3 && SUBNET_FIELDS.has(field));
}

function checkRangesPath(path: Path, { scope }: Reader): void {
  allow(scope === 'subnet' && path.length === 2);
}

function checkRequestPath(path: Path, reader: Reader, state: StateTree): void {
  const { sender, targets, scope, version, target } = reader;
  const [, requestId, field] = path;
  allow(
    requestId !== undefined &&
      (field === undefined || (path.length === 3 && REQUEST_FIELDS.has(text(field) ?? ''))) &&
      (scope === 'canister' || version > 2),
  );
  if (requestId?.length !== REQUEST_ID_LENGTH) {
    throw badRequest(
      `Invalid request id in paths. Maybe the request ID is not of ${REQUEST_ID_LENGTH} bytes in length?!`,
    );
  }
  const request = state.request(requestId);
  if (!request) return;
  if (!equalBytes(request.sender, sender)) {
    throw forbidden('The user tries to access Request ID not signed by the caller.');
  }
  if (targets && !targets.has(hex(request.canisterId))) {
    throw forbidden(
      'The user tries to access request IDs for canisters not belonging to sender delegation targets.',
    );
  }
  if (scope === 'canister' && !equalBytes(request.effectiveCanisterId, target)) {
    throw forbidden('The request was sent to another canister than the one in the URL.');
  }
}

function checkCanisterPath(path: Path, reader: Reader, state: StateTree): void {
  const [, canisterId, fieldLabel, nameLabel] = path;
  const field = text(fieldLabel) ?? '';
  allow(reader.scope === 'canister' && canisterId !== undefined);
  if (!canisterId) return;
  if (path.length === 3 && CANISTER_FIELDS.has(field)) return checkPrincipal(canisterId, reader.target);
  allow(path.length === 4 && field === 'metadata');
  const name = text(nameLabel);
  if (name === undefined) throw badRequest('Could not parse the custom section name: it is not UTF-8.');
  checkPrincipal(canisterId, reader.target);
  checkMetadata(canisterId, name, reader.sender, state);
}

function checkPrincipal(named: Uint8Array, inUrl: Uint8Array): void {
  if (equalBytes(named, inUrl)) return;
  throw badRequest(
    `Effective principal id in URL ${principalText(inUrl)} does not match requested principal id: ${principalText(named)}.`,
  );
}

function checkMetadata(canisterId: Uint8Array, name: string, sender: Uint8Array, state: StateTree): void {
  if (state.metadata(canisterId, name)?.visibility !== 'private') return;
  const controllers = state.canister(canisterId)?.controllers ?? [];
  if (controllers.some((controller) => equalBytes(controller, sender))) return;
  throw forbidden(
    `Custom section ${name.slice(0, 100)} can only be requested by the controllers of the canister.`,
  );
}

function text(label: Uint8Array | undefined): string | undefined {
  try {
    return label && decoder.decode(label);
  } catch {
    return undefined;
  }
}

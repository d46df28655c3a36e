import { equalBytes } from '../certification/bytes.ts';
import type { StateTree } from '../certification/state-tree.ts';
import { principalText } from './authentication.ts';
import { badRequest, forbidden } from './request-error.ts';
import type { ApiRoute } from './route.ts';

/** Who reads, and where: the sender, and the canister or subnet in the URL. */
export interface Reader {
  readonly sender: Uint8Array;
  readonly scope: ApiRoute['scope'];
  readonly target: Uint8Array;
}

type Path = readonly Uint8Array[];

const decoder = new TextDecoder('utf-8', { fatal: true });
const REQUEST_FIELDS = new Set(['status', 'reply', 'reject_code', 'reject_message', 'error_code']);

/**
 * Throws `RequestError` unless every path may be read (interface specification, "Request: Read state"): the
 * status of a call only by its sender, private metadata only by controllers, certified data by nobody.
 */
export function checkReadable(paths: readonly Path[], reader: Reader, state: StateTree): void {
  let request: Uint8Array | undefined;
  for (const path of paths) {
    const [first, second] = path;
    const top = text(first);
    if (top === 'request_status' && second) {
      if (request && !equalBytes(request, second)) {
        throw badRequest('Can only request a single request ID in request_status paths');
      }
      request = second;
    }
    checkPath(top, path, reader, state);
  }
}

function checkPath(top: string | undefined, path: Path, reader: Reader, state: StateTree): void {
  switch (top) {
    case 'time':
      if (path.length === 1) return;
      break;
    case 'subnet':
    case 'canister_ranges':
    case 'api_boundary_nodes':
      return;
    case 'request_status':
      return checkRequestPath(path, reader, state);
    case 'canister':
      return checkCanisterPath(path, reader, state);
  }
  throw badRequest(`Invalid path requested: ${describe(path)}`);
}

function checkRequestPath(path: Path, { sender, scope, target }: Reader, state: StateTree): void {
  const [, requestId, field] = path;
  const known = field === undefined || REQUEST_FIELDS.has(text(field) ?? '');
  if (requestId?.length !== 32 || path.length > 3 || !known) {
    throw badRequest(`Invalid path requested: ${describe(path)}`);
  }
  const request = state.request(requestId);
  if (!request) return;
  if (!equalBytes(request.sender, sender)) {
    throw forbidden('The user tries to access Request ID not signed by the caller.');
  }
  if (scope === 'canister' && !equalBytes(request.effectiveCanisterId, target)) {
    throw forbidden('The request was sent to another canister than the one in the URL.');
  }
}

function checkCanisterPath(path: Path, reader: Reader, state: StateTree): void {
  const [, canisterId, fieldLabel, nameLabel] = path;
  if (!canisterId || !fieldLabel) throw badRequest(`Invalid path requested: ${describe(path)}`);
  if (reader.scope !== 'canister' || !equalBytes(canisterId, reader.target)) {
    throw badRequest(
      `Effective principal id in URL ${principalText(reader.target)} does not match requested canister id: ${principalText(canisterId)}.`,
    );
  }
  const field = text(fieldLabel);
  const isPlain = path.length === 3 && (field === 'controllers' || field === 'module_hash');
  if (isPlain) return;
  const name = nameLabel && path.length === 4 && field === 'metadata' ? text(nameLabel) : undefined;
  if (name === undefined) throw badRequest(`Invalid path requested: ${describe(path)}`);
  checkMetadata(canisterId, name, reader.sender, state);
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

function describe(path: Path): string {
  const labels = path.map((label) => text(label)?.slice(0, 100) ?? `0x${Buffer.from(label).toString('hex')}`);
  return `/${labels.join('/')}`;
}

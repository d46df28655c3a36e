import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import { FIRST_CANISTER_ID, LAST_CANISTER_ID } from '@cannery/ic/certification/tree/subnet-leaves';
import { NETWORK_VERSION } from '@cannery/ic/limits';
import { principalText } from '../identity/authentication.ts';
import {
  type CanisterContent,
  type Envelope,
  parseEnvelope,
  type ReadStateContent,
} from '../identity/envelope.ts';
import { parseSimpleEnvelope } from '../identity/simple-envelope.ts';
import { callNotes } from '../transport/call-notes.ts';
import type { ClientAddress } from '../transport/client-address.ts';
import { largeTurn } from '../transport/loop-line.ts';
import { badRequest, RequestError, unsupportedType } from '../transport/request-error.ts';
import { askedForBy, tally } from '../transport/tally.ts';
import { handleCall } from './call.ts';
import { handleQuery } from './query.ts';
import { handleReadState } from './read-state.ts';
import { type ApiRoute, parseRoute } from './route.ts';
import { cborReply, type HttpReply, jsonReply, type NetworkService, textReply } from './service.ts';

const NANOS_PER_SECOND = 1_000_000_000n;

/** `/api/v2/status`: agents of local networks read the root key here. */
function handleStatus({ keys, now, machineNow }: NetworkService): HttpReply {
  const aheadNanos = machineNow ? now() - machineNow() : 0n;
  return cborReply(
    encodeCbor({
      impl_version: NETWORK_VERSION,
      replica_health_status: 'healthy',
      root_key: keys.rootKey,
      // Only said when there is something to say.
      ...(aheadNanos > NANOS_PER_SECOND && { clock_ahead_seconds: aheadNanos / NANOS_PER_SECOND }),
    }),
  );
}

/** `/_/topology`: development tools read here where they may create canisters. */
function handleTopology({ keys }: NetworkService): HttpReply {
  const id = (bytes: Uint8Array): Record<string, string> => ({
    canister_id: Buffer.from(bytes).toString('base64'),
  });
  return jsonReply({
    subnet_configs: {
      [principalText(keys.subnetId)]: {
        subnet_kind: 'Application',
        canister_ranges: [{ start: id(FIRST_CANISTER_ID), end: id(LAST_CANISTER_ID) }],
      },
    },
    default_effective_canister_id: id(FIRST_CANISTER_ID),
  });
}

const STATUS_PATH = '/api/v2/status';
const TOPOLOGY_PATH = '/_/topology';
const CBOR_TYPE = /^application\/cbor\s*(;|$)/i;
const VERSIONED_PATH = /^\/api\/v\d+\/(canister|subnet)\//;

/** Whether `path` belongs to the API; all others, also below `/api`, are left to the pages of canisters. */
export function isApiPath(path: string): boolean {
  return path === STATUS_PATH || path === TOPOLOGY_PATH || VERSIONED_PATH.test(path);
}

/** Where a request comes from, and what its client calls it. */
export interface Caller {
  readonly address: ClientAddress;
  readonly requestId: string | undefined;
}

/** A request to the API whose body may still be on its way. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly from: Caller;
  body(): Promise<Buffer>;
}

/** Answers a request whose body is at hand, CBOR, and posted to an address of the API; never rejects. */
export async function answerWhole(
  service: NetworkService,
  path: string,
  body: Buffer,
  from: Caller,
): Promise<HttpReply> {
  const begun = performance.now();
  const reply = await answerOrRefuse(service, path, body, from.address);
  count(path, from, reply.status, performance.now() - begun);
  return reply;
}

async function answerOrRefuse(
  service: NetworkService,
  path: string,
  body: Buffer,
  address: ClientAddress,
): Promise<HttpReply> {
  try {
    const route = parseRoute(path);
    return route ? await answer(service, route, body, address) : nothingHere();
  } catch (error) {
    return error instanceof RequestError ? textReply(error.status, error.message) : failure(error);
  }
}

/** Counts an answer, and notes it if its request has a name. */
function count(path: string, { address, requestId }: Caller, status: number, millis: number): void {
  const kind = askedForBy(path);
  tally.answered(kind, status, millis);
  if (requestId !== undefined) callNotes.note({ requestId, kind, status, millis, address });
}

/** The answer to a request that failed for no fault of its own. */
export function failure(error: unknown): HttpReply {
  const reason = error instanceof Error ? error.message : String(error);
  return textReply(500, `The network failed to answer: ${reason}`);
}

/** Answers one request to the API. Refusals become plain text with a 4xx status; other errors are thrown. */
export async function handleApi(service: NetworkService, request: ApiRequest): Promise<HttpReply> {
  const { path, from } = request;
  const begun = performance.now();
  let status = INTERNAL_ERROR;
  try {
    const reply = await dispatch(service, request).catch(refusalOf);
    status = reply.status;
    return reply;
  } finally {
    count(path, from, status, performance.now() - begun);
  }
}

const INTERNAL_ERROR = 500;

function refusalOf(error: unknown): HttpReply {
  if (error instanceof RequestError) return textReply(error.status, error.message);
  throw error;
}

async function dispatch(service: NetworkService, request: ApiRequest): Promise<HttpReply> {
  const { method, path, contentType } = request;
  if (path === STATUS_PATH) return only(['GET', 'HEAD'], method) ?? handleStatus(service);
  if (path === TOPOLOGY_PATH) return only(['GET', 'HEAD'], method) ?? handleTopology(service);
  const route = parseRoute(path);
  if (!route) return nothingHere();
  const refused = only(['POST'], method);
  if (refused) return refused;
  if (contentType !== undefined && !CBOR_TYPE.test(contentType)) {
    throw unsupportedType('Unexpected content-type, expected application/cbor.');
  }
  return answer(service, route, await request.body(), request.from.address);
}

async function answer(
  service: NetworkService,
  route: ApiRoute,
  bytes: Buffer,
  address: ClientAddress,
): Promise<HttpReply> {
  const envelope = parseSimpleEnvelope(bytes) ?? (await parseInTurn(bytes));
  const { type } = envelope.content;
  if (type !== route.endpoint) {
    throw badRequest(`A request of type "${type}" cannot be sent to the address for "${route.endpoint}"`);
  }
  if (type === 'read_state')
    return handleReadState(service, route, envelope as Envelope<ReadStateContent>, address);
  const message = envelope as Envelope<CanisterContent>;
  if (type === 'query') return handleQuery(service, route, message, address);
  return handleCall(service, route, message, bytes.length, address);
}

async function parseInTurn(bytes: Buffer): Promise<Envelope> {
  await largeTurn(bytes.length);
  return parseEnvelope(bytes);
}

function nothingHere(): HttpReply {
  return textReply(404, 'There is nothing at this address.');
}

function only(allowed: readonly string[], method: string): HttpReply | undefined {
  return allowed.includes(method)
    ? undefined
    : textReply(405, `This address answers ${allowed.join(' and ')} requests only.`);
}

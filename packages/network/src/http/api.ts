import { handleCall } from './call.ts';
import { type CanisterContent, type Envelope, parseEnvelope, type ReadStateContent } from './envelope.ts';
import { handleStatus, handleTopology } from './network-info.ts';
import { handleQuery } from './query.ts';
import { handleReadState } from './read-state.ts';
import { badRequest, RequestError } from './request-error.ts';
import { parseRoute } from './route.ts';
import { type HttpReply, type NetworkService, textReply } from './service.ts';

const STATUS_PATH = '/api/v2/status';
const TOPOLOGY_PATH = '/_/topology';
const VERSIONED_PATH = /^\/api\/v\d+\/(canister|subnet)\//;

/** Whether `path` belongs to the API; all others, also below `/api`, are left to the pages of canisters. */
export function isApiPath(path: string): boolean {
  return path === STATUS_PATH || path === TOPOLOGY_PATH || VERSIONED_PATH.test(path);
}

/** Answers one request to the API. Refusals become plain text with a 4xx status; other errors are thrown. */
export async function handleApi(
  service: NetworkService,
  method: string,
  path: string,
  body: () => Promise<Uint8Array>,
): Promise<HttpReply> {
  try {
    return await dispatch(service, method, path, body);
  } catch (error) {
    if (error instanceof RequestError) return textReply(error.status, error.message);
    throw error;
  }
}

async function dispatch(
  service: NetworkService,
  method: string,
  path: string,
  body: () => Promise<Uint8Array>,
): Promise<HttpReply> {
  if (path === STATUS_PATH) return only(['GET', 'HEAD'], method) ?? handleStatus(service);
  if (path === TOPOLOGY_PATH) return only(['GET', 'HEAD'], method) ?? handleTopology(service);
  const route = parseRoute(path);
  if (!route) return textReply(404, 'There is nothing at this address.');
  const refused = only(['POST'], method);
  if (refused) return refused;

  const bytes = await body();
  const envelope = parseEnvelope(bytes);
  const { type } = envelope.content;
  if (type !== route.endpoint) {
    throw badRequest(`A request of type "${type}" cannot be sent to the address for "${route.endpoint}"`);
  }
  if (type === 'read_state') return handleReadState(service, route, envelope as Envelope<ReadStateContent>);
  const message = envelope as Envelope<CanisterContent>;
  if (type === 'query') return handleQuery(service, route, message);
  return handleCall(service, route, message, bytes.length);
}

function only(allowed: readonly string[], method: string): HttpReply | undefined {
  return allowed.includes(method)
    ? undefined
    : textReply(405, `This address answers ${allowed.join(' and ')} requests only.`);
}

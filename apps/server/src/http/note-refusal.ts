import { API_TOKEN_PREFIX, type ErrorCode } from '@cannery/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inRequest } from '../log/request-context.ts';
import type { SecurityEvent } from '../security-log/security-events.ts';
import type { SecurityLog } from '../security-log/security-log.ts';
import type { NoteRefusal } from './handle-errors.ts';
import { bearerToken } from './limits/sender.ts';
import { clientOf, methodOf, routeOf } from './watch-requests.ts';

/** What a refusal is to the security log; null where nobody has tried anything. */
const EVENTS: Readonly<Record<ErrorCode, SecurityEvent | null>> = {
  unauthenticated: 'credential_refused',
  // Noted where it happens, with the provider.
  sign_in_failed: null,
  not_allowed: 'right_refused',
  network_shared: 'right_refused',
  not_found: 'foreign_or_absent',
  repository_not_found: 'foreign_or_absent',
  rate_limited: 'rate_exceeded',
  invalid_input: 'input_refused',
  invalid_wasm: 'input_refused',
  invalid_icon: 'input_refused',
  payload_too_large: 'input_refused',
  insufficient_balance: 'rule_refused',
  quota_reached: 'rule_refused',
  git_connection_failed: 'rule_refused',
  already_exists: null,
  canister_busy: null,
  canister_not_stopped: null,
  database_unavailable: null,
  deploy_busy: null,
  disk_full: null,
  git_host_unavailable: null,
  install_failed: null,
  internal: null,
  network_rejected: null,
  network_unavailable: null,
  repository_busy: null,
  repository_deleted: null,
  storage_unavailable: null,
};

/** Ids of our rows, and principals. */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z2-7]{5}(?:-[a-z2-7]{1,5}){1,10})$/;

/**
 * Notes a refusal in the security log. What a signed-in user asks for and does not get is one event, whether it is somebody else's or nobody's:
 * statements have the owner in them, so that the server does not know either (decision 0164).
 */
export const noteRefusal =
  (security: SecurityLog): NoteRefusal =>
  (request, { code }) => {
    const event = EVENTS[code];
    const client = clientOf(request);
    // To whoever is nobody nothing belongs that could be somebody else's.
    if (event === null || (event === 'foreign_or_absent' && client.user === undefined)) return;
    const details = { code, method: methodOf(request), route: routeOf(request) };
    const note = (more: object): void =>
      inRequest(request.id, () => security.note(event, { ...details, ...more }), client);
    if (event === 'credential_refused') note({ credential: credentialOf(request) });
    else if (event === 'foreign_or_absent') note({ thing: idOf(request.params) });
    else note({});
  };

function credentialOf(request: FastifyRequest): 'none' | 'session' | 'api_token' {
  const bearer = bearerToken(request);
  if (bearer === undefined) return 'none';
  return bearer.startsWith(API_TOKEN_PREFIX) ? 'api_token' : 'session';
}

/** The last id in the path. */
function idOf(params: unknown): string | undefined {
  const values: unknown[] = Object.values(params ?? {});
  return values.findLast((value): value is string => typeof value === 'string' && ID.test(value));
}

/**
 * Notes pages of other origins that ask whether they may call the server with more than any page may: the answer lets none of them but those
 * of the console.
 * @param consoleElsewhere origin of the console, when it is another one
 */
export function noteForeignOrigins(
  app: FastifyInstance,
  security: SecurityLog,
  consoleElsewhere: string | undefined,
): void {
  app.addHook('onRequest', async (request) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    if (request.method !== 'OPTIONS' || asked === undefined || origin === consoleElsewhere) return;
    security.note('origin_refused', { route: routeOf(request) });
  });
}

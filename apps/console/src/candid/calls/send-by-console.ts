import {
  canisterCallEndpoints,
  type CanisterCallOutcome,
  LONGEST_CALL_MS,
  MAX_CALL_ARGUMENT_BYTES,
} from '@cannery/contract';
import { CandidError, type ServiceMethod } from '@cannery/candid';
import type { ApiClient } from '../../lib/api/api-client.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { randomKey } from '../../lib/api/random-key.ts';
import type { CallAnswer, SendCall } from './call-method.ts';
import { isQuery } from '../copy/copied-call.ts';
import { hexBytes, hexText } from '../form/blob-bytes.ts';
import { RefusedCallError, UnknownOutcomeError } from './explain-error.ts';

/** Pause before a request is sent again that got no answer, in milliseconds. */
const PAUSE_MS = 1500;
/** The network says for some time after the expiry of a call what became of it. */
const GRACE_MS = 30_000;
/** Answers after which the same request may be sent again: the call may or may not have been made. */
const AGAIN = ['network_unavailable', 'database_unavailable', 'rate_limited', 'unreachable'];
/** The canister ended without a reply, as a oneway method does. */
const NO_REPLY = 'IC0506';

/**
 * Sends calls through the service, which makes them as the controller of the canister. An update carries a key and an
 * expiry of the call, so that it happens once however often the request is sent.
 */
export function sendByConsole(api: ApiClient, canisterId: string): SendCall {
  return async (method, arg) => {
    // The service takes out this character, and would call another method.
    if (method.name.includes('\0'))
      throw new CandidError('The console cannot call a method whose name holds NUL.');
    if (arg.length > MAX_CALL_ARGUMENT_BYTES) {
      const most = MAX_CALL_ARGUMENT_BYTES.toLocaleString('en-US');
      throw new CandidError(
        `The console takes arguments of at most ${most} bytes; call as another identity.`,
      );
    }
    const body = { canister_id: canisterId, method: method.name, argument_hex: hexText(arg) };
    if (isQuery(method)) {
      return answerOf(
        method,
        await api.call(canisterCallEndpoints.call, { body: { ...body, as_query: true } }),
      );
    }
    const expiry = Date.now() + LONGEST_CALL_MS;
    const update = { ...body, expires_at: new Date(expiry).toISOString() };
    const idempotencyKey = randomKey();
    for (;;) {
      const outcome = await api
        .call(canisterCallEndpoints.call, { body: update, idempotencyKey })
        .catch((error: unknown) => {
          const isAgain = error instanceof ApiError && AGAIN.includes(error.code);
          if (isAgain && Date.now() < expiry) return undefined;
          throw error;
        });
      if (outcome !== undefined && outcome.status !== 'pending') return answerOf(method, outcome);
      if (Date.now() > expiry + GRACE_MS)
        throw new UnknownOutcomeError('The outcome of the call is not known.');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
}

function answerOf(method: ServiceMethod, outcome: CanisterCallOutcome): CallAnswer {
  if (outcome.status === 'pending') throw new UnknownOutcomeError('The outcome of the call is not known.');
  const cycles = outcome.cycles === null ? undefined : BigInt(outcome.cycles);
  const isOneway = method.mode === 'oneway';
  if (outcome.status === 'replied') {
    return { reply: isOneway ? undefined : (hexBytes(outcome.reply_hex) ?? new Uint8Array()), cycles };
  }
  const { reject_code, error_code, reject_message } = outcome;
  if (isOneway && error_code === NO_REPLY) return { reply: undefined, cycles };
  throw new RefusedCallError(reject_code ?? undefined, error_code ?? undefined, reject_message, cycles);
}

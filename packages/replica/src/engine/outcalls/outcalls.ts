import { replicaErrors } from '@cannery/ic/errors';
import { rejectionOutcome } from '../../execution/respond.ts';
import { encodeHttpResponse, encodeTransformArg } from '../../management/outcalls/http-request.ts';
import type { QueryMessage, QueryResult } from '../../messages.ts';
import type { Outcome } from '@cannery/ic/state-leaves';
import { MANAGEMENT_ID } from '../../state/canister-id.ts';
import type { IcTypes } from '@cannery/ic/generated/ic-interface';
import type { MockedResponse, Outcall, OutcallPolicy } from '../../state/outcall.ts';
import { makeOutcall, OutcallError } from './outcall-client.ts';

/** Requests made at a time; others wait, so that a flood does not take all sockets of the process. */
const MAX_CONNECTIONS = 64;
/** The reject code of what may be tried again. */
const SYS_TRANSIENT = 2;

type HttpResponse = IcTypes['http_request_result'];

interface OutcallHost {
  /** Runs a transform function. */
  query(message: QueryMessage): Promise<QueryResult>;
  /** Hears what each request ended with, once. */
  finish(id: number, outcome: Outcome): void;
}

/** Makes the HTTP requests of canisters, beside the messages of the engine. */
export class Outcalls {
  readonly #policy: OutcallPolicy;
  readonly #host: OutcallHost;
  readonly #waiting: Outcall[] = [];
  readonly #stop = new AbortController();
  #connections = 0;

  constructor(policy: OutcallPolicy, host: OutcallHost) {
    this.#policy = policy;
    this.#host = host;
  }

  start(outcalls: readonly Outcall[]): void {
    if (this.#policy === 'mocked') return;
    this.#waiting.push(...outcalls);
    while (this.#connections < MAX_CONNECTIONS) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#connections += 1;
      void this.#carryOut(next);
    }
  }

  /** Answers a request that waits for it with what a test says, as if that had come over the network. */
  async mock(outcall: Outcall, response: MockedResponse): Promise<void> {
    const outcome = await this.#outcome(outcall, async () => {
      if (!('rejectCode' in response)) return checkedResponse(response, outcall);
      const { rejectCode, message } = response;
      throw new OutcallError(rejectCode === SYS_TRANSIENT ? 'transient' : 'fatal', message);
    });
    if (!this.#stop.signal.aborted) this.#host.finish(outcall.id, outcome);
  }

  /** Gives up all requests; the next start of the network answers their calls. */
  stop(): void {
    this.#waiting.length = 0;
    this.#stop.abort();
  }

  async #carryOut(outcall: Outcall): Promise<void> {
    const outcome = await this.#outcome(outcall, () => makeOutcall(outcall, this.#policy, this.#stop.signal));
    this.#connections -= 1;
    if (this.#stop.signal.aborted) return;
    this.#host.finish(outcall.id, outcome);
    this.start([]);
  }

  async #outcome(outcall: Outcall, respond: () => Promise<HttpResponse>): Promise<Outcome> {
    try {
      const response = await respond();
      const { transform, canister, maxResponseBytes } = outcall;
      if (!transform) return { status: 'replied', reply: encodeHttpResponse(response) };
      const result = await this.#host.query({
        sender: MANAGEMENT_ID,
        canisterId: canister,
        method: transform.method,
        arg: encodeTransformArg(response, transform.context),
        uncertified: true,
      });
      return checked(result, maxResponseBytes);
    } catch (error) {
      const kind = error instanceof OutcallError ? error.kind : 'fatal';
      const reason = error instanceof Error ? error.message : String(error);
      return rejectionOutcome(replicaErrors.outcallFailed(kind, reason));
    }
  }
}

/** What a test has made up, if the canister would get it; throws `OutcallError`. */
function checkedResponse(response: HttpResponse, { maxResponseBytes }: Outcall): HttpResponse {
  if (response.body.length <= maxResponseBytes) return response;
  throw new OutcallError('fatal', `Http body exceeds size limit of ${maxResponseBytes} bytes.`);
}

/** The result of a transform function as the answer of the call; its size counts with its Candid encoding. */
function checked(result: QueryResult, limit: number): Outcome {
  if (result.status === 'stale-certificate' || result.status === 'malformed') {
    return rejectionOutcome(
      replicaErrors.outcallFailed('fatal', 'The transform function asked for what it cannot have.'),
    );
  }
  const bytes = result.status === 'replied' ? result.reply.length : result.message.length;
  if (bytes <= limit) return result;
  return rejectionOutcome(
    replicaErrors.outcallFailed('fatal', `Transformed http response exceeds limit: ${limit}`),
  );
}

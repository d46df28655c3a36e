import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Endpoint, fillPath, readEvents, type ResponseOf, type ServerEvent } from '@cannery/contract';
import { CliError, exitCodes } from './cli-error.ts';
import type { Output } from './output.ts';
import { isPassing, refusalOf, retryAfterMs } from './read-refusal.ts';
import type { Settings } from './settings.ts';

/** How long the server may take for an answer, in milliseconds. */
const ANSWER_MS = 60_000;
/** Bytes of an answer; the longest log is far shorter. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Waits before a call is sent again, in milliseconds: twice as long each time, from the first to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The wait after 'too many calls' when the server does not say how long, in milliseconds. */
const UNSAID_WAIT_MS = 2_000;
/** The longest wait that a server can ask for, in milliseconds. */
const LONGEST_ASKED_MS = 60_000;
/** A stream on which nothing comes for so long is cut, in milliseconds: the server says every 15 s that it is there. */
const SILENCE_MS = 45_000;

interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Leaves out what is long. */
  readonly minimal?: true;
}

/** Calls of the contract with the token on each. */
export interface Api {
  /**
   * Makes a call. One that got no answer is sent again for as long as the program has patience; under its
   * Idempotency-Key it is carried out once.
   * @throws CliError
   */
  call<E extends Endpoint>(endpoint: E, input?: CallInput): Promise<ResponseOf<E>>;
  /**
   * Opens a stream of events once.
   * @throws CliError for a refusal, WaitError when it may succeed later
   */
  events(
    endpoint: Endpoint,
    input: { params: Readonly<Record<string, string>>; lastEventId: string | undefined },
  ): Promise<AsyncGenerator<ServerEvent>>;
  /** Runs work until it succeeds, waiting after each {@link WaitError}. */
  persist<T>(work: () => Promise<T>): Promise<T>;
}

/** The server is away or asks to wait; the same call may succeed later. */
export class WaitError extends CliError {
  /** Asked for by the server, which is there then; undefined when it did not answer. */
  readonly askedMs: number | undefined;

  constructor(message: string, askedMs: number | undefined, options?: ErrorOptions) {
    super(exitCodes.unreachable, message, options);
    this.askedMs = askedMs;
  }
}

/** Sends calls to a server. @param options.patienceMs how long a server that does not answer is tried again */
export function createApi(
  { base, token }: Settings,
  { patienceMs, output }: { patienceMs: number; output: Output },
): Api {
  async function send(endpoint: Endpoint, path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const url = `${base}${path}`;
    // A redirect would carry the token to wherever it leads.
    const answer = await fetch(url, { ...init, method: endpoint.method, headers, redirect: 'manual' }).catch(
      (error: unknown) => {
        throw new WaitError(`The server does not answer (${reasonOf(error)}).`, undefined, { cause: error });
      },
    );
    if (answer.ok) return answer;
    const refusal = refusalOf(answer.status, await textOf(answer));
    if (!isPassing(answer.status)) throw refusal;
    const askedMs = answer.status === 429 ? (retryAfterMs(answer.headers) ?? UNSAID_WAIT_MS) : undefined;
    throw new WaitError(refusal.message, askedMs);
  }

  const persist: Api['persist'] = async (work) => {
    let waitMs = FIRST_WAIT_MS;
    let awaySince: number | undefined;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof WaitError)) throw error;
        const now = Date.now();
        if (error.askedMs !== undefined) {
          output.note(error.message);
          awaySince = undefined;
          await delay(Math.min(Math.max(error.askedMs, FIRST_WAIT_MS), LONGEST_ASKED_MS));
          continue;
        }
        if (awaySince === undefined) output.note(`${error.message} Trying again ...`);
        awaySince ??= now;
        const leftMs = awaySince + patienceMs - now;
        if (leftMs <= 0) throw error;
        await delay(Math.min(waitMs, leftMs));
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      }
    }
  };

  return {
    persist,
    async call<E extends Endpoint>(endpoint: E, { params, body, minimal }: CallInput = {}) {
      const path = fillPath(endpoint.path, params);
      const headers = new Headers({ accept: 'application/json' });
      if (endpoint.idempotent) headers.set('idempotency-key', randomUUID());
      if (minimal) headers.set('prefer', 'return=minimal');
      if (body !== undefined) headers.set('content-type', 'application/json');
      const init = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const text = await persist(async () =>
        textOf(await send(endpoint, path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) })),
      );
      return readAnswer(endpoint, text);
    },
    async events(endpoint, { params, lastEventId }) {
      const headers = new Headers({ accept: 'text/event-stream' });
      if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
      const silence = new AbortController();
      const watch = setTimeout(() => silence.abort(), SILENCE_MS);
      try {
        const path = fillPath(endpoint.path, params);
        const { body } = await send(endpoint, path, { headers, signal: silence.signal });
        if (body === null) throw new WaitError('The server sends no log.', undefined);
        const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array>({
          transform(chunk, controller) {
            watch.refresh();
            controller.enqueue(chunk);
          },
        });
        return endWatch(readEvents(body.pipeThrough(heard)), () => clearTimeout(watch));
      } catch (error) {
        clearTimeout(watch);
        throw error;
      }
    },
  };
}

async function* endWatch(events: AsyncGenerator<ServerEvent>, end: () => void): AsyncGenerator<ServerEvent> {
  try {
    yield* events;
  } finally {
    end();
  }
}

/** The body of an answer. @throws WaitError when the connection is lost, CliError for one without end */
async function textOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength;
      if (size > MOST_BYTES)
        throw new CliError(exitCodes.unreachable, 'The answer of the server is too long. Check CANNERY_URL.');
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new WaitError(`The connection was lost (${reasonOf(error)}).`, undefined, { cause: error });
  }
  return text + decoder.decode();
}

/** An answer in the form that the contract gives it. @throws CliError for any other */
function readAnswer<E extends Endpoint>({ response }: E, text: string): ResponseOf<E> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const read = response.safeParse(value);
  if (read.success) return read.data as ResponseOf<E>;
  throw new CliError(
    exitCodes.unreachable,
    'The server does not answer as Cannery does. Check CANNERY_URL, and whether both are of the same version.',
  );
}

/** Why a request got no answer, as short as it is known: `ECONNREFUSED`, `ENOTFOUND`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.name === 'TimeoutError' ? 'too slow' : error.message;
}

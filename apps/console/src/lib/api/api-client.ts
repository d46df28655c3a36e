import {
  fillPath,
  type AnswerOf,
  type BodyInputOf,
  type Endpoint,
  type NamedOrigin,
  originHeader,
  type ParamsOf,
  type QueryOf,
  readEvents,
  type ServerEvent,
} from '@cannery/contract';
import { isOfProxy } from '../connection/reach.ts';
import { ApiError } from './api-error.ts';
import { parseBody, readAnswer, sendWithProgress, type UploadProgress } from './api-transport.ts';

type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

type CallInput<E> = Part<'params', ParamsOf<E>> &
  Partial<Part<'query', QueryOf<E>>> &
  Part<'body', BodyInputOf<E>> & {
    /** The file of an upload endpoint. */
    readonly file?: File;
    /** Told how much of the body has left the browser. */
    readonly onProgress?: UploadProgress;
    /** What the caller calls the request; sent again under the same key it is carried out once. */
    readonly idempotencyKey?: string;
    /** What the caller takes the module of an installation from. */
    readonly codeOrigin?: NamedOrigin | undefined;
    /** Asks for an answer without what is long. */
    readonly minimal?: boolean;
    readonly signal?: AbortSignal;
  };

/** What a stream of events is asked for with. */
type EventsInput<E> = Part<'params', ParamsOf<E>> & {
  /** The last event that is known; the stream goes on behind it. */
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
};

export interface ApiClientOptions {
  /** Address that the endpoints' paths are appended to, without slash at its end. */
  readonly base: string;
  readonly readToken: () => string | undefined;
  /** Called when the service refuses the bearer token of a call. */
  readonly onUnauthenticated?: () => void;
  /** Told what the calls say of the way to the service. */
  readonly told?: ToldOfCalls;
}

/** Who is told of each call whether the service has answered it; of an aborted one nothing is told. */
interface ToldOfCalls {
  /** @param succeeded false for a refusal */
  readonly answered: (succeeded: boolean) => void;
  readonly failed: () => void;
  /** A call failed that was to change something. @param mayRepeat whether made again it is done once more, if it was done */
  readonly lost: (mayRepeat: boolean) => void;
  /** A stream of events is open. @returns what says that it is closed */
  readonly holds: () => () => void;
}

export interface ApiClient {
  /** Makes a call of the contract. @throws ApiError; an aborted call throws the signal's reason. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>>;
  /**
   * Opens the stream of events of a call that answers one.
   * @throws ApiError, and while reading whatever cuts the stream; an aborted call throws the signal's reason.
   */
  events<E extends Endpoint>(endpoint: E, input: EventsInput<E>): Promise<AsyncGenerator<ServerEvent>>;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly file?: File;
  readonly onProgress?: UploadProgress;
  readonly idempotencyKey?: string;
  readonly codeOrigin?: NamedOrigin | undefined;
  readonly minimal?: boolean;
  readonly signal?: AbortSignal;
}

function address(base: string, endpoint: Endpoint, input: LooseInput): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, value);
  }
  const path = `${base}${fillPath(endpoint.path, input.params)}`;
  if (query.size === 0) return path;
  return `${path}${path.endsWith('/') ? '' : '/'}?${query.toString()}`;
}

function payload(endpoint: Endpoint, input: LooseInput, headers: Headers): FormData | string | undefined {
  if (endpoint.upload !== undefined) {
    const form = new FormData();
    if (input.file) form.append(endpoint.upload, input.file);
    return form;
  }
  if (input.body === undefined) return undefined;
  headers.set('content-type', 'application/json');
  return JSON.stringify(input.body);
}

const EVENT_STREAM = 'text/event-stream';

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

/** Sends a call; `fetch` cannot tell how much it has sent, so a call that asks for that goes another way. */
function send(address: string, init: RequestInit, onProgress: UploadProgress | undefined): Promise<Answer> {
  return onProgress === undefined ? fetch(address, init) : sendWithProgress(address, init, onProgress);
}

/** What a call comes to that is made again: nothing new for one that reads or sets what is named, else it may be done once more. */
function madeAgain({ method, again }: Endpoint, { idempotencyKey }: LooseInput): 'reads' | 'same' | 'more' {
  if (method === 'GET' || again === 'reads') return 'reads';
  return method === 'PUT' || again === 'same' || idempotencyKey !== undefined ? 'same' : 'more';
}

/** The events of a stream, of which it is told when it breaks. */
async function* watched(events: AsyncGenerator<ServerEvent>, told: ToldOfCalls, signal: AbortSignal) {
  const close = told.holds();
  try {
    yield* events;
  } catch (cause) {
    if (!signal.aborted) told.failed();
    throw cause;
  } finally {
    close();
  }
}

async function readBody(response: Answer): Promise<unknown> {
  const text = await response.text();
  try {
    return await parseBody(text);
  } catch {
    return undefined;
  }
}

/** A client for the calls of the contract, with the bearer token on each. */
export function createApiClient({ base, readToken, onUnauthenticated, told }: ApiClientOptions): ApiClient {
  /** The error of a call without an answer of the service, after telling of it. @param status that of a proxy's answer */
  function unreachable(cause: unknown, endpoint: Endpoint, input: LooseInput, status = 0): ApiError {
    const again = madeAgain(endpoint, input);
    const mayRepeat = again === 'more';
    told?.failed();
    if (again !== 'reads') told?.lost(mayRepeat);
    return ApiError.unreachable(cause, { mayRepeat, status });
  }

  function headersOf(accept: string): Headers {
    const headers = new Headers({ accept });
    const token = readToken();
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return headers;
  }

  return {
    async events<E extends Endpoint>(endpoint: E, input: EventsInput<E>) {
      const headers = headersOf(EVENT_STREAM);
      if (input.lastEventId !== undefined) headers.set('last-event-id', input.lastEventId);
      const { signal } = input;
      let response: Response;
      try {
        response = await fetch(address(base, endpoint, input as LooseInput), { headers, signal });
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw unreachable(cause, endpoint, {});
      }
      if (!response.ok) {
        const refusal = await readBody(response);
        if (isOfProxy(response.status, refusal !== undefined)) {
          throw unreachable(refusal, endpoint, {}, response.status);
        }
        told?.answered(false);
        if (response.status === 401) onUnauthenticated?.();
        throw ApiError.fromAnswer(response.status, refusal);
      }
      told?.answered(true);
      const type = response.headers.get('content-type') ?? '';
      if (response.body === null || !type.startsWith(EVENT_STREAM)) {
        await response.body?.cancel();
        throw ApiError.unreadable(endpoint.path, new TypeError(`The answer is of type ${type}.`));
      }
      const events = readEvents(response.body);
      return told === undefined ? events : watched(events, told, signal);
    },
    async call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>> {
      const loose = input as LooseInput;
      const headers = headersOf('application/json');
      if (loose.minimal) headers.set('prefer', 'return=minimal');
      if (loose.idempotencyKey !== undefined) headers.set('idempotency-key', loose.idempotencyKey);
      if (loose.codeOrigin !== undefined) headers.set('code-origin', originHeader(loose.codeOrigin));
      const body = payload(endpoint, loose, headers);
      let response: Answer;
      let answer: unknown;
      try {
        const credentials: RequestCredentials = endpoint.withCookies ? 'include' : 'same-origin';
        const init = { method: endpoint.method, headers, body, credentials, signal: loose.signal };
        response = await send(address(base, endpoint, loose), init, loose.onProgress);
        answer = await readBody(response);
      } catch (cause) {
        if (loose.signal?.aborted) throw cause;
        throw unreachable(cause, endpoint, loose);
      }
      if (isOfProxy(response.status, answer !== undefined)) {
        throw unreachable(answer, endpoint, loose, response.status);
      }
      told?.answered(response.ok);
      if (!response.ok) {
        if (response.status === 401 && endpoint.signedIn) onUnauthenticated?.();
        throw ApiError.fromAnswer(response.status, answer);
      }
      try {
        return (await readAnswer(endpoint, answer)) as AnswerOf<E>;
      } catch (cause) {
        throw ApiError.unreadable(endpoint.path, cause);
      }
    },
  };
}

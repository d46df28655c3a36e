import {
  fillPath,
  type AnswerOf,
  type BodyInputOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
} from '@cannery/contract';
import { ApiError } from './api-error.ts';
import { sendWithProgress, type UploadProgress } from './api-upload.ts';
import { readAnswer } from './read-answer.ts';

type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

export type CallInput<E> = Part<'params', ParamsOf<E>> &
  Partial<Part<'query', QueryOf<E>>> &
  Part<'body', BodyInputOf<E>> & {
    /** The file of an upload endpoint. */
    readonly file?: File;
    /** Told how much of the body has left the browser. */
    readonly onProgress?: UploadProgress;
    /** What the caller calls the request; sent again under the same key it is carried out once. */
    readonly idempotencyKey?: string;
    readonly signal?: AbortSignal;
  };

export interface ApiClientOptions {
  /** Address that the endpoints' paths are appended to, without slash at its end. */
  readonly base: string;
  readonly readToken: () => string | undefined;
  /** Called when the service refuses the bearer token of a call. */
  readonly onUnauthenticated?: () => void;
}

export interface ApiClient {
  /** Makes a call of the contract. @throws ApiError; an aborted call throws the signal's reason. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>>;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly file?: File;
  readonly onProgress?: UploadProgress;
  readonly idempotencyKey?: string;
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

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

/** Sends a call; `fetch` cannot tell how much it has sent, so a call that asks for that goes another way. */
function send(address: string, init: RequestInit, onProgress: UploadProgress | undefined): Promise<Answer> {
  return onProgress === undefined ? fetch(address, init) : sendWithProgress(address, init, onProgress);
}

async function readBody(response: Answer): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A client for the calls of the contract, with the bearer token on each. */
export function createApiClient({ base, readToken, onUnauthenticated }: ApiClientOptions): ApiClient {
  return {
    async call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>> {
      const loose = input as LooseInput;
      const headers = new Headers({ accept: 'application/json' });
      const token = readToken();
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      if (loose.idempotencyKey !== undefined) headers.set('idempotency-key', loose.idempotencyKey);
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
        throw ApiError.unreachable(cause);
      }
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

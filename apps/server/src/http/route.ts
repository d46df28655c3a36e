import { Readable } from 'node:stream';
import type { BodyOf, Endpoint, NamedOrigin, ParamsOf, QueryOf, ResponseOf } from '@cannery/contract';
import type { Actor, ApiGrant } from './actor.ts';
import { JsonText } from './answers/json-rows.ts';

export interface UploadedFile {
  /** As the browser sent it; never used as a path. */
  readonly filename: string;
  readonly mimeType: string;
  /** Fails with `payload_too_large` when the file is larger than the upload limit. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** One call, checked against its endpoint's schemas. */
interface Call<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

export interface SignedInCall<E> extends Call<E> {
  readonly user: Actor;
  /** What the API token of the call allows; undefined for a session. */
  readonly grant: ApiGrant | undefined;
  /** The bearer token of the call. */
  readonly token: string;
  readonly idempotencyKey: string | undefined;
  readonly codeOrigin: NamedOrigin | undefined;
  /** Whether the client asks for an answer without what is long, where the endpoint can give one. */
  readonly isMinimal: boolean;
}

type RequestCookies = Readonly<Record<string, string | undefined>>;

/** What a call is made of before its schemas gave it types. */
export interface RawCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly user: Actor | undefined;
  readonly grant: ApiGrant | undefined;
  readonly token: string | undefined;
  /** What the client calls the request, where the endpoint takes such a name. */
  readonly idempotencyKey: string | undefined;
  /** What the client takes a module from, where the endpoint installs one. */
  readonly codeOrigin: NamedOrigin | undefined;
  /** See `minimal` of the endpoint. */
  readonly isMinimal: boolean;
  /** The last event that the reader of a stream has seen. */
  readonly lastEventId: string | undefined;
  readonly userAgent: string | undefined;
  readonly cookies: RequestCookies;
  readonly file: UploadedFile | undefined;
}

/** A header that stands there several times is a list. */
export type AnswerHeaders = Record<string, string | string[]>;

/** An endpoint of the contract and the use case behind it: one row of the table in app.ts. */
export interface Route {
  readonly endpoint: Endpoint;
  /** Calls a minute and address that are let through; unlimited when absent. */
  readonly callsPerMinute?: number;
  readonly handle: (call: RawCall) => Promise<{ status?: number; body: unknown; headers?: AnswerHeaders }>;
}

/** A route of a signed-in user. */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (call: SignedInCall<E>) => Promise<ResponseOf<E>>,
): Route {
  return {
    endpoint,
    handle: async (raw) => ({ body: await handler(raw as SignedInCall<E>) }),
  };
}

/** A route of a signed-in user that takes one file. */
export function uploadRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: SignedInCall<E> & { file: UploadedFile }) => Promise<ResponseOf<E>>,
): Route {
  return {
    endpoint,
    handle: async (raw) => ({ body: await handler(raw as SignedInCall<E> & { file: UploadedFile }) }),
  };
}

/** A route of a signed-in user whose answer may be large: it may be given as the text of its JSON, or as a stream of that. */
export function largeRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: SignedInCall<E>) => Promise<ResponseOf<E> | Readable | JsonText<ResponseOf<E>>>,
): Route {
  return {
    endpoint,
    async handle(raw) {
      const body = await handler(raw as SignedInCall<E>);
      if (!(body instanceof Readable || body instanceof JsonText)) return { body };
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      return { body: body instanceof JsonText ? body.text : body, headers };
    },
  };
}

/** A route of a signed-in user that answers a stream of server-sent events. */
export function eventRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: SignedInCall<E> & Pick<RawCall, 'lastEventId'>) => Promise<Readable>,
): Route {
  return {
    endpoint,
    handle: async (raw) => ({
      body: await handler(raw as SignedInCall<E> & RawCall),
      // A proxy that gathers an answer before it hands it on would hold the events back.
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
    }),
  };
}

/** A call that needs no session. */
export type OpenCall<E> = Call<E> & Pick<RawCall, 'token' | 'userAgent' | 'cookies'>;

/** A route that a signed-out visitor may call; it may choose status and headers of its answer. */
export function publicRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: OpenCall<E>) => Promise<{ status?: number; body: ResponseOf<E>; headers?: AnswerHeaders }>,
  options: { callsPerMinute?: number } = {},
): Route {
  return { endpoint, ...options, handle: (raw) => handler(raw as OpenCall<E>) };
}

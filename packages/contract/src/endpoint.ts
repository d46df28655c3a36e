import type { z } from 'zod';
import type { Reading } from './texts/reading.ts';

/** What an API token may be allowed to do. An endpoint says which of these it takes; without one it takes no token. */
export const apiScopes = ['deploys:read', 'deploys:run'] as const;
export type ApiScope = (typeof apiScopes)[number];

/** One call between console and server. Paths are relative to the API base; the console uses them letter for letter. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Answer = unknown,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As the product specification writes it, trailing slash included; `{name}` marks a path parameter. */
  readonly path: string;
  readonly summary: string;
  /** False only for the calls a signed-out visitor may make. */
  readonly signedIn: boolean;
  /**
   * What an API token must be allowed to do to make the call. Without a scope the call is closed to API tokens: it takes
   * a session. The path parameter `id` of a call with a scope is the deploy; a token that is limited to other deploys gets
   * the answer of one that does not exist.
   */
  readonly scope?: ApiScope;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Name of the one file field when the call is a multipart upload; such a call has no `body`. */
  readonly upload?: string;
  /** The largest file of an upload. */
  readonly maxBytes?: number;
  /** The call proves with a cookie of the API that this browser began something; no other call carries cookies there. */
  readonly withCookies?: true;
  /**
   * The call may carry the header `Idempotency-Key`: what the client calls a request that must not happen twice, unique
   * among its own. A client that got no answer, or `canister_busy` or `network_unavailable`, sends the request again with the same
   * key: it is carried out once, and every sending gets the answer. A request that was refused has left nothing, and may
   * be sent again too.
   */
  readonly idempotent?: true;
  /**
   * What the call comes to that is made again, where its method does not say it: `reads` for one that changes nothing, `same` for one
   * after which things are as after the first.
   */
  readonly again?: 'reads' | 'same';
  /**
   * The call may carry the header `Code-Origin`: what the module is taken from, `dapp` and an id, or `registry`, an id and the
   * number of a version. It is written down with the code. Without the header the module is a file that the caller has uploaded.
   */
  readonly namesOrigin?: true;
  /**
   * The call answers a stream of server-sent events, which ends when there is nothing more to come. After a cut the header
   * `Last-Event-ID` gets what follows the event of that id. `response` is what the data of its events hold, as JSON.
   */
  readonly eventStream?: true;
  /** Leaves out what is long when the header `Prefer: return=minimal` asks for that. */
  readonly minimal?: true;
  /** What the service answers; it is held to it. */
  readonly response: Response;
  /** How the console reads an answer to a call of the specification; our own calls are read by their `response`. */
  readonly reading?: Reading<Answer>;
}

type Input<T extends z.ZodType> = z.ZodType extends T ? undefined : z.input<T>;
type Output<T extends z.ZodType> = z.ZodType extends T ? undefined : z.output<T>;

/** What a caller passes for an endpoint; a part that the endpoint does not declare is `undefined`. */
export type ParamsOf<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? Output<P> : never;
export type QueryOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? Output<Q> : never;
export type BodyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? Output<B> : never;
export type BodyInputOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? Input<B> : never;
export type ResponseOf<E> =
  E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;

/** What the console gets of an answer. */
export type AnswerOf<E> = E extends { readonly reading?: Reading<infer Answer> } ? Answer : never;

/** Declares an endpoint and keeps the exact types of its schemas. */
export function endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A = z.output<R>,
>(definition: Endpoint<P, Q, B, R, A>): Endpoint<P, Q, B, R, A> {
  return definition;
}

/**
 * Fills the `{name}` marks of an endpoint's path.
 * @throws Error when a parameter is missing.
 */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_mark, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs a value for ${name}.`);
    return encodeURIComponent(value);
  });
}

import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Where the internal door of a git role begins; no public address does. */
export const DOOR = '/internal/git';
/** How an internal token is called in the header Authorization: no other scheme is read there, and nowhere else is this one. */
const SCHEME = 'Cannery-Internal ';
/** How long a token works, in milliseconds: one hop between processes, and clocks that differ by some seconds. */
const LIFE_MS = 10_000;
/** How far a clock of another machine may be ahead, in milliseconds. */
const SKEW_MS = 5_000;
/** A token that git shows with each request of one fetch works longer, in milliseconds: a large one is packed before it is sent. */
const FETCH_LIFE_MS = 60_000;
/** Characters of a header with a token. */
const LONGEST = 2_000;

const claimsSchema = z.strictObject({
  /** `once`: for one request. `fetch`: for the two requests by which git reads the repository that the path names. */
  kind: z.enum(['once', 'fetch']),
  /** Of the request; of a fetch the address of its repository. */
  method: z.enum(['GET', 'POST', 'PUT', 'FETCH']),
  path: z.string().max(1_000),
  /** SHA-256 of the body, in hexadecimal digits; `stream` for one that is passed on as it comes. */
  body: z.string().max(64),
  /** For whom it is done, by the id of the user. */
  user: z.string().min(1).max(100),
  /** The folder of repositories that is meant: a process that has lost it does nothing in it. */
  folder: z.string().min(1).max(100),
  /** Milliseconds since 1970. */
  expires: z.number().int(),
  /** Never the same in two tokens. */
  nonce: z.string().min(1).max(100),
});

/** What an internal token says: one request of one process to another one, for one user. */
export type Claims = z.infer<typeof claimsSchema>;

type Asked = Pick<Claims, 'kind' | 'method' | 'path' | 'body' | 'user' | 'folder'>;

/** The hash of a body, as tokens have it. */
export function bodyHash(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('hex');
}

function signatureOf(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** The value of the header Authorization for one request. @param key of internal tokens, and of nothing else */
export function internalToken(key: Buffer, asked: Asked, now = Date.now()): string {
  const life = asked.kind === 'fetch' ? FETCH_LIFE_MS : LIFE_MS;
  const claims: Claims = { ...asked, expires: now + life, nonce: randomUUID() };
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${SCHEME}${text}.${signatureOf(key, text).toString('base64url')}`;
}

/** Keys of internal tokens, and of nothing else. */
export interface TokenKeys {
  signing(): Buffer;
  /** While keys are changed there are several. */
  accepted(): readonly Buffer[];
}

/** Looks at internal tokens where they are shown. A token for one request opens once. */
export class InternalTokens {
  readonly #keys: Pick<TokenKeys, 'accepted'>;
  /** Nonces of tokens that were shown, with the ends of their lives. Only signed ones get here. */
  readonly #shown = new Map<string, number>();
  #tidiedAt = 0;

  constructor(keys: Pick<TokenKeys, 'accepted'>) {
    this.#keys = keys;
  }

  /**
   * What a token says that fits a request; undefined for anything else, whatever is wrong with it.
   * @param header the value of Authorization
   * @param request.path with its query, as it came
   */
  claimsOf(
    header: string | undefined,
    request: { readonly method: string; readonly path: string },
    now = Date.now(),
  ): Claims | undefined {
    const claims = this.#signed(header);
    if (claims === undefined) return undefined;
    const life = claims.kind === 'fetch' ? FETCH_LIFE_MS : LIFE_MS;
    if (claims.expires < now - SKEW_MS || claims.expires > now + life + SKEW_MS) return undefined;
    if (claims.kind === 'fetch') return isOfFetch(claims, request) ? claims : undefined;
    if (claims.method !== request.method || claims.path !== request.path) return undefined;
    return this.#isFirst(claims, now) ? claims : undefined;
  }

  #signed(header: string | undefined): Claims | undefined {
    if (header === undefined || header.length > LONGEST || !header.startsWith(SCHEME)) return undefined;
    const [text = '', shown = '', ...rest] = header.slice(SCHEME.length).split('.');
    const signature = Buffer.from(shown, 'base64url');
    const isOf = (key: Buffer): boolean => {
      const own = signatureOf(key, text);
      return signature.length === own.length && timingSafeEqual(signature, own);
    };
    if (rest.length > 0 || !this.#keys.accepted().some(isOf)) return undefined;
    return claimsSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  }

  #isFirst({ nonce, expires }: Claims, now: number): boolean {
    if (this.#shown.has(nonce)) return false;
    if (now - this.#tidiedAt > LIFE_MS) {
      this.#tidiedAt = now;
      for (const [old, end] of this.#shown) if (end < now - SKEW_MS) this.#shown.delete(old);
    }
    this.#shown.set(nonce, expires);
    return true;
  }
}

/** The two requests of a fetch by git's smart HTTP, below the address that a token names. */
function isOfFetch({ path }: Claims, request: { readonly method: string; readonly path: string }): boolean {
  return (
    (request.method === 'GET' && request.path === `${path}/info/refs?service=git-upload-pack`) ||
    (request.method === 'POST' && request.path === `${path}/git-upload-pack`)
  );
}

import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import type { Db } from '../../db/tx.ts';
import { currentRequestId, REQUEST_ID } from '../../log/request-context.ts';
import { type Home, homeOf, RepositoriesAwayError } from './homes.ts';
import { bodyHash, DOOR, internalToken, type TokenKeys } from './internal-token.ts';
import { type InputOf, type OperationName, operations, type OutputOf } from './operations.ts';
import { errorOfRefusal, REFUSED } from './refusals.ts';

/** How long a git role may take to begin its answer to a call, in milliseconds: it may wait for turns and for git. */
const CALL_MS = 120_000;
/** Bytes of an answer to a call: a page of a repository, or a list of all of a user. */
const ANSWER_BYTES = 16 * 1024 ** 2;
/** The answer of a process that does not have the folder. */
const AWAY = 503;
/** How long an idle connection is kept, in milliseconds; the other side keeps it longer. */
const KEEP_MS = 30_000;

/**
 * Headers that a request may have which is passed on. How long its body is, is not among them: connections to a git role carry requests of
 * all users, one after the other, so what is announced there and does not come is taken out of the request of somebody else.
 */
export const PASSED_ON = ['accept', 'content-encoding', 'content-type', 'git-protocol', 'range'] as const;

/** A body that is passed on, with its length in bytes where its sender has announced one. */
interface PassedBody {
  readonly stream: Readable;
  readonly length: string | undefined;
}

/** A request that is passed on as it comes. */
interface Passed {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Behind the address of the door, with its query. */
  readonly path: string;
  readonly headers: Readonly<Partial<Record<(typeof PASSED_ON)[number], string>>>;
  readonly body: PassedBody | null;
  /** Ends it: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The way of other roles to the git roles, through their internal door. */
export class DoorClient {
  readonly #db: Db;
  readonly #keys: Pick<TokenKeys, 'signing'>;
  readonly #http = new HttpAgent({ keepAlive: true, timeout: KEEP_MS });
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: KEEP_MS });

  constructor(db: Db, keys: Pick<TokenKeys, 'signing'>) {
    this.#db = db;
    this.#keys = keys;
  }

  /**
   * Has something done by the git role that has the repositories of the user.
   * @throws AppError as the operation; repository_busy where no git role can be reached
   */
  async call<Name extends OperationName>(
    userId: string,
    operation: Name,
    input: InputOf<Name>,
  ): Promise<OutputOf<Name>> {
    const home = await homeOf(this.#db, userId);
    const answer = await this.#sendText(home, userId, '/call', JSON.stringify({ operation, input }));
    return operations[operation].output.parse(JSON.parse(await textOf(answer))) as OutputOf<Name>;
  }

  /**
   * A file of Git LFS of a repository, as it comes; null where the repository has none.
   * @throws AppError as `call`; the reason of the signal
   */
  async lfsObject(
    userId: string,
    asked: { readonly repository: string; readonly oid: string; readonly size: number },
    signal: AbortSignal,
  ): Promise<IncomingMessage | null> {
    const home = await homeOf(this.#db, userId);
    const answer = await this.#sendText(home, userId, '/lfs', JSON.stringify(asked), signal);
    if (answer.statusCode !== 204) return answer;
    answer.resume();
    return null;
  }

  /** By which address and with which header git may fetch a repository, for a minute. @throws AppError repository_busy */
  async fetchFrom(userId: string, repository: string): Promise<{ url: string; authorization: string }> {
    const { folder, url } = await homeOf(this.#db, userId);
    const path = `${DOOR}/fetch/${repository}`;
    const claims = { kind: 'fetch', method: 'FETCH', path, body: 'stream', user: userId, folder } as const;
    return { url: `${url}${path}`, authorization: internalToken(this.#keys.signing(), claims) };
  }

  /**
   * Passes a request of a user on to the git role that has the user's repositories: its body as fast as that takes it.
   * @returns the answer, whose body is as it comes
   * @throws AppError repository_busy where no git role can be reached; the reason of the signal
   */
  async pass(userId: string, { method, path, headers, body, signal }: Passed): Promise<IncomingMessage> {
    const { folder, url } = await homeOf(this.#db, userId);
    const at = `${DOOR}/for${path}`;
    const claims = { kind: 'once', method, path: at, body: 'stream', user: userId, folder } as const;
    const authorization = internalToken(this.#keys.signing(), claims);
    const answer = await this.#send(url, at, {
      method,
      headers: { ...headers, authorization },
      body,
      signal,
    });
    // What the user may be told says when to come again; without that it is the door, which has lost the folder.
    if (answer.statusCode !== AWAY || answer.headers['retry-after'] !== undefined) return answer;
    answer.resume();
    throw new RepositoriesAwayError(new Error(`The git role answered ${AWAY}.`));
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  async #sendText(
    { folder, url }: Home,
    user: string,
    at: string,
    text: string,
    signal = AbortSignal.timeout(CALL_MS),
  ): Promise<IncomingMessage> {
    const path = `${DOOR}${at}`;
    const claims = { kind: 'once', method: 'POST', path, body: bodyHash(text), user, folder } as const;
    const answer = await this.#send(url, path, {
      method: 'POST',
      headers: {
        authorization: internalToken(this.#keys.signing(), claims),
        'content-type': 'application/json',
      },
      body: text,
      signal,
    });
    if (answer.statusCode === REFUSED) throw errorOfRefusal(await textOf(answer));
    if (answer.statusCode === 200 || answer.statusCode === 204) return answer;
    answer.resume();
    // It has lost the folder, or is being started.
    throw new RepositoriesAwayError(new Error(`The git role answered ${answer.statusCode}.`));
  }

  #send(
    base: string,
    path: string,
    given: {
      method: string;
      headers: Record<string, string>;
      body: PassedBody | string | null;
      signal: AbortSignal;
    },
  ): Promise<IncomingMessage> {
    const address = new URL(path, base);
    const { method, headers, body, signal } = given;
    const isSecure = address.protocol === 'https:';
    const requestId = currentRequestId();
    const length = typeof body === 'string' ? String(Buffer.byteLength(body)) : body?.length;
    const request = (isSecure ? httpsRequest : httpRequest)(address, {
      method,
      headers: {
        ...headers,
        ...(length !== undefined && { 'content-length': length }),
        ...(requestId !== undefined && { [REQUEST_ID]: requestId }),
      },
      agent: isSecure ? this.#https : this.#http,
      signal,
    });
    return new Promise((resolve, reject) => {
      // A failure behind the answer shows in the answer, which breaks off.
      request.on('error', (error) =>
        reject(signal.aborted ? signal.reason : new RepositoriesAwayError(error)),
      );
      request.once('response', resolve);
      if (body === null || typeof body === 'string') request.end(body ?? undefined);
      else {
        const { stream } = body;
        // Whoever is answered early goes on sending, and reads the answer behind that.
        request.once('close', () => {
          stream.unpipe(request);
          stream.resume();
        });
        stream.once('error', () => request.destroy());
        stream.pipe(request);
      }
    });
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of answer) {
      bytes += piece.length;
      if (bytes > ANSWER_BYTES) throw new Error('The git role answered too much.');
      pieces.push(piece);
    }
  } catch (error) {
    throw new RepositoriesAwayError(error);
  }
  return Buffer.concat(pieces).toString('utf8');
}

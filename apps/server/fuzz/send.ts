import { Agent, request } from 'node:http';
import { bodyOf } from './spoil.ts';
import type { Draft } from './draft.ts';

/** What came back for a request. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A stream of events is left when it has said nothing for so long, in milliseconds. */
const QUIET_MS = 60;
/** After this a request has no answer, in milliseconds: the longest that the service works at one is the network's. */
const ANSWER_MS = 60_000;
/**
 * The service ends the connection of a body that it refuses before it has come: what is on its way then is answered by a reset.
 * Shorter ones are taken whole, so that theirs must have an answer.
 */
const CUT_BYTES = 16 * 1024;

/** A connection of a client, which it keeps. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** @throws Error when there is no answer */
  async send(draft: Draft, authorization: string | undefined): Promise<Answer | 'cut'> {
    const body = bodyOf(draft);
    try {
      return await this.#exchange(draft, body, authorization);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isCut = (code === 'ECONNRESET' || code === 'EPIPE') && (body?.length ?? 0) > CUT_BYTES;
      if (isCut) return 'cut';
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(draft: Draft, body: Buffer | undefined, authorization: string | undefined): Promise<Answer> {
    const headers: Record<string, string> = { 'content-type': 'application/json', ...draft.headers };
    if (authorization !== undefined) headers['authorization'] = authorization;
    if (body === undefined || headers['content-type'] === '') delete headers['content-type'];
    if (body !== undefined) headers['content-length'] = String(body.length);
    const { hostname, port, pathname } = this.#url;
    const path = `${pathname}${draft.path}${queryOf(draft)}`;
    return new Promise((resolve, reject) => {
      const call = request({ agent: this.#agent, hostname, port, method: draft.method, path, headers });
      call.setTimeout(ANSWER_MS, () => call.destroy(new Error('There was no answer in a minute.')));
      call.on('error', reject);
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        const done = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          });
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
        const leave = (): void => {
          done();
          response.destroy();
        };
        let timer = isStream ? setTimeout(leave, QUIET_MS) : undefined;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (timer !== undefined) timer = (clearTimeout(timer), setTimeout(leave, QUIET_MS));
        });
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(timer);
          done();
        });
      });
      call.end(body);
    });
  }
}

function queryOf({ path, query }: Draft): string {
  if (query.length === 0) return '';
  const pairs = query.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='));
  return `${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

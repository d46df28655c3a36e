import { Agent, request } from 'node:http';

/** One HTTP call. The path goes over the wire as it is, which fetch would tidy up. */
export interface WireCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** All that a caller can see of an answer, but its date, its connection, how it travels and the count of calls left. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly text: string;
}

/** Calls to a server as bytes, over connections that are kept. */
export interface Wire {
  send(call: WireCall): Promise<WireAnswer>;
  close(): void;
}

/** A stream of events that stays open is taken for what it has said when it has said nothing for so long, in milliseconds. */
const STREAM_QUIET_MS = 500;

/** What differs from call to call, or by connection, whatever is asked. How a body travels is of the connection: HEAD may leave it out. */
const CHANGING = /^(?:date|connection|keep-alive|transfer-encoding|x-ratelimit-(?:remaining|reset))$/i;

export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  return {
    send: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const call = request({
          agent,
          hostname,
          port,
          method,
          path,
          // Answers have the name of their request in them; with one name for all, the rest of them is compared to the letter.
          headers: { 'x-request-id': 'a-call-of-a-test', ...headers, ...length },
        });
        call.on('response', (response) => {
          const chunks: Buffer[] = [];
          const { statusCode = 0, rawHeaders } = response;
          const done = (): void =>
            resolve({
              status: statusCode,
              headers: headerLines(rawHeaders),
              text: Buffer.concat(chunks).toString('utf8'),
            });
          const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
          const leave = (): void => {
            done();
            response.destroy();
          };
          let timer = isStream ? setTimeout(leave, STREAM_QUIET_MS) : undefined;
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            if (timer === undefined) return;
            clearTimeout(timer);
            timer = setTimeout(leave, STREAM_QUIET_MS);
          });
          response.on('error', reject);
          response.on('end', () => {
            clearTimeout(timer);
            done();
          });
        });
        call.on('error', reject);
        call.end(body);
      }),
    close: () => agent.destroy(),
  };
}

function headerLines(raw: readonly string[]): string[] {
  const lines: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (!CHANGING.test(name)) lines.push(`${name}: ${raw[index + 1]}`);
  }
  return lines;
}

import type { Socket } from 'node:net';

/** Requests that were damaged in many ways, and what servers make of them: who reads the same bytes differently could hide one request in another. */

const CONNECTIONS = 100;

/** Numbers that are the same in every run (Park and Miller's generator). */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
}

const HEADERS = [
  'Transfer-Encoding: chunked',
  'transfer-encoding: identity',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length : 5',
  'Content-Length:',
  'Host: y',
  'Host: localhost',
  'Expect: 100-continue',
  'Expect: nothing',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: keep-alive, close',
  'Proxy-Connection: close',
  'Connection: x, y',
  'Upgrade: h2c',
  'TE: trailers',
  'Trailer: x',
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Cookie: a=b',
  'Origin: http://localhost',
  ' folded',
  ': nameless',
  'no colon',
  'X-Long: '.padEnd(20_000, 'x'),
  'X-\u00ff: y',
  'X: \u0000',
];
const REQUEST_LINES: readonly [string, string][] = [
  ['POST', 'GET'],
  ['POST', 'HEAD'],
  ['POST', 'OPTIONS'],
  ['POST', 'PUT'],
  ['POST', 'post'],
  ['POST', 'CONNECT'],
  ['POST ', 'POST  '],
  ['/api', '//api'],
  ['/api', 'http://localhost/api'],
  ['/query', '/query?x=1'],
  ['/query', '/query/'],
  ['/query', '/%71uery'],
  ['/query', '/call'],
  ['/canister/', '/subnet/'],
  ['v3', 'v2'],
  ['v3', 'v9'],
  ['HTTP/1.1', 'HTTP/1.0'],
  ['HTTP/1.1', 'HTTP/2.0'],
  ['HTTP/1.1', 'http/1.1'],
  ['\r\n', '\n'],
  ['\r\n', '\r'],
  ['\r\n\r\n', '\n\n'],
  ['\r\n\r\n', '\r\n\r'],
  ['application/cbor', 'application/cbor; charset=utf-8'],
  ['application/cbor', 'APPLICATION/CBOR'],
  ['application/cbor', 'application/json'],
  [': ', ':'],
  [': ', ':  '],
];
const BYTES = '\r\n \t:,;=+-0159azAZ\u0000\u007f\u0080\u00ff';

/** A request with one kind of damage; `request` is text of one byte a sign. */
export function damaged(request: string, random: (below: number) => number): string {
  const pick = <T>(from: ArrayLike<T>): T => from[random(from.length)] as T;
  const at = random(request.length);
  switch (random(7)) {
    case 0:
      return request.slice(0, at) + pick(BYTES) + request.slice(at + 1);
    case 1:
      return request.slice(0, at) + pick(BYTES) + request.slice(at);
    case 2:
      return request.slice(0, at) + request.slice(at + 1 + random(4));
    case 3:
      return request.slice(0, at);
    case 4:
      return request.replace(...pick(REQUEST_LINES));
    case 5: {
      const lines = request.split('\r\n');
      const line = random(lines.length);
      return lines.toSpliced(line, random(2), ...(random(2) ? [pick(lines)] : [])).join('\r\n');
    }
    default: {
      const lines = request.split('\r\n');
      return lines.toSpliced(1 + random(4), 0, pick(HEADERS)).join('\r\n');
    }
  }
}

/** Status and body of what is answered until the server closes the connection, or until there are `enough` answers. */
export async function exchange(
  socket: Socket,
  pieces: readonly string[],
  enough = Infinity,
): Promise<string[]> {
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    if (enough < Infinity && answersIn(received).length >= enough) socket.end();
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (const piece of pieces) {
    await new Promise((sent) => socket.write(piece, 'latin1', sent));
    await new Promise(setImmediate);
  }
  await closed;
  return answersIn(received);
}

export function answersIn(received: string): string[] {
  return received
    .replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '')
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map((answer) => {
      const [head = '', ...body] = answer.split('\r\n\r\n');
      return `${head.slice(9, 12)} ${body.join('\r\n\r\n')}`;
    })
    .filter((answer) => answer.trim() !== '');
}

/** Does so with each item, `CONNECTIONS` at a time. */
export async function atOnce<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await action(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

/** What Node says, without a body, before it closes a connection on which it cannot find its way. */
const LOST = /^4\d\d $/;

/**
 * Whether these can be answers to the same requests. At what it cannot read the server closes the connection, sometimes
 * before it has answered what came ahead of that.
 */
export function agree(one: readonly string[], other: readonly string[]): boolean {
  const [shorter = [], longer = []] = [one, other]
    .map((answers) => answers.filter((answer) => !LOST.test(answer)))
    .sort((a, b) => a.length - b.length);
  return shorter.every((answer, at) => answer === longer[at]);
}

import { connect, type Socket } from 'node:net';

export interface PreparedLoad {
  readonly url: string;
  /** Whole HTTP requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  /** How many to send. */
  readonly count: number;
}

export interface PreparedResult {
  readonly perSecond: number;
  /** Length of the last answer's body. */
  readonly bodyBytes: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

/**
 * Sends prepared requests over kept connections, on each the next one when the last is answered: a client that costs so
 * little that the server is what is measured. Rejects at an answer other than 200.
 */
export async function sendPrepared({
  url,
  requests,
  connections,
  count,
}: PreparedLoad): Promise<PreparedResult> {
  const { hostname, port } = new URL(url);
  const { promise: done, resolve, reject } = Promise.withResolvers<number>();
  const start = performance.now();
  let sent = 0;
  let received = 0;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname);
    const send = (): void => {
      const request = requests[sent % requests.length];
      if (sent >= count || !request) return;
      sent += 1;
      socket.write(request);
    };
    const answered = (bodyBytes: number): void => {
      received += 1;
      if (received === count) resolve(bodyBytes);
      send();
    };
    socket.once('error', reject).once('connect', send);
    readAnswers(socket, answered, reject);
    return socket;
  });
  try {
    const bodyBytes = await done;
    return { perSecond: count / ((performance.now() - start) / 1_000), bodyBytes };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** `answered` gets the length of each body. */
function readAnswers(
  socket: Socket,
  answered: (bodyBytes: number) => void,
  failed: (error: Error) => void,
): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = pending.toString('latin1', 0, headEnd);
      const bodyBytes = Number(LENGTH.exec(head)?.[1] ?? 0);
      const end = headEnd + HEAD_END.length + bodyBytes;
      if (pending.length < end) return;
      if (!head.startsWith('HTTP/1.1 200')) {
        failed(new Error(pending.toString('utf8', 0, end)));
        return;
      }
      pending = pending.subarray(end);
      answered(bodyBytes);
    }
  });
}

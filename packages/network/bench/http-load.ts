// Sends prepared HTTP requests over kept connections as fast as they are answered; a program of its own, so that it
// can have a processor to itself. Input: one JSON line `Load`; output: one JSON line `LoadResult`.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** What to send: the requests of `file`, each as a 4-byte length and its bytes, over and over. */
export interface Load {
  readonly port: number;
  readonly file: string;
  readonly connections: number;
  /** Requests sent before the clock starts, and while it runs. */
  readonly warmup: number;
  readonly requests: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
  /** Bytes of the last answer's body, and its start, to see that it was the expected one. */
  readonly bodyBytes: number;
  readonly bodyStart: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

function readRequests(file: string): Buffer[] {
  const bytes = readFileSync(file);
  const requests: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const length = bytes.readUInt32LE(offset);
    requests.push(bytes.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
  }
  return requests;
}

/** Reads answers off a socket; `answered` gets each body. Throws on a status other than 200. */
function readAnswers(socket: Socket, answered: (body: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = pending.toString('latin1', 0, headEnd);
      const end = headEnd + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (pending.length < end) return;
      const body = pending.subarray(headEnd + 4, end);
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(`${head}\n\n${body.toString()}`);
      pending = pending.subarray(end);
      answered(body);
    }
  });
}

async function run({ port, file, connections, warmup, requests }: Load): Promise<LoadResult> {
  const prepared = readRequests(file);
  const latencies: number[] = [];
  const done = Promise.withResolvers<void>();
  let sent = 0;
  let received = 0;
  let begin = 0;
  let last: Buffer = Buffer.alloc(0);
  const sockets: Socket[] = [];
  for (let index = 0; index < connections; index += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    sockets.push(socket);
    let sentAt = 0;
    const send = (): void => {
      const request = prepared[sent % prepared.length];
      if (sent >= warmup + requests || !request) return;
      sent += 1;
      sentAt = performance.now();
      socket.write(request);
    };
    readAnswers(socket, (body) => {
      received += 1;
      last = body;
      if (received === warmup) begin = performance.now();
      if (received > warmup) latencies.push(performance.now() - sentAt);
      if (received === warmup + requests) done.resolve();
      send();
    });
    socket.on('connect', send);
  }
  await done.promise;
  const seconds = (performance.now() - begin) / 1000;
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    perSecond: requests / seconds,
    p50Millis: at(0.5),
    p99Millis: at(0.99),
    bodyBytes: last.length,
    bodyStart: last.subarray(0, 24).toString('hex'),
  };
}

const load = process.argv[2];
if (load) console.log(JSON.stringify(await run(JSON.parse(load) as Load)));

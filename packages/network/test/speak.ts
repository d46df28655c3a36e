import { connect } from 'node:net';

/** What a server answered, as it stood on the wire. */
export interface Answer {
  readonly status: number;
  /** In lower case, in order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Sends the bytes on a separate connection and reads one answer. */
export function speak(port: number, text: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const answered = (): Answer | undefined => {
    const [head = '', ...rest] = received.split('\r\n\r\n');
    if (rest.length === 0) return undefined;
    const [status = '', ...lines] = head.split('\r\n');
    const headers = lines.map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    });
    const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
    const body = rest.join('\r\n\r\n');
    return body.length < length ? undefined : { status: Number(status.split(' ')[1]), headers, body };
  };
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const answer = answered();
    if (answer) {
      resolve(answer);
      socket.destroy();
    }
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`no answer, but ${JSON.stringify(received)}`)));
  socket.write(Buffer.from(text, 'latin1'));
  return promise;
}

/** The head of a request. */
export const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`;

/** The values of a header. */
export const named = ({ headers }: Answer, name: string): string[] =>
  headers.filter(([each]) => each === name).map(([, value]) => value);

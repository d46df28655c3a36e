import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ReadAnswer, ReadRequest } from './heavy-protocol.ts';

/** The worker's end of a channel on which it asks and stands still until it is answered. */
export class SyncChannel {
  readonly #port: MessagePort;
  readonly #answers: Int32Array<SharedArrayBuffer>;

  /** `answers`: shared with the other end, which counts its answers there. */
  constructor(port: MessagePort, answers: SharedArrayBuffer) {
    this.#port = port;
    this.#answers = new Int32Array(answers);
  }

  ask(request: ReadRequest): ReadAnswer {
    const seen = Atomics.load(this.#answers, 0);
    this.#port.postMessage(request);
    for (;;) {
      const answer = receiveMessageOnPort(this.#port) as { readonly message: ReadAnswer } | undefined;
      if (answer) return answer.message;
      Atomics.wait(this.#answers, 0, seen);
    }
  }
}

/** The other end: answers whenever the thread gets to it. `serve` may name bytes that change hands instead of being copied. */
export function serveChannel(
  port: MessagePort,
  answers: SharedArrayBuffer,
  serve: (request: ReadRequest) => ReadAnswer,
): void {
  const counter = new Int32Array(answers);
  port.on('message', (request: ReadRequest) => {
    const answer = serve(request);
    port.postMessage(answer, answer.type === 'pages' ? [answer.bytes.buffer as ArrayBuffer] : []);
    Atomics.add(counter, 0, 1);
    Atomics.notify(counter, 0);
  });
}

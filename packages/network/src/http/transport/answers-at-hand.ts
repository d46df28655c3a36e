import type { Socket } from 'node:net';

/** An answer that can be sent without looking at its request. */
export interface AnswerAtHand {
  /** Writes it; calls `done`, not before this returns, when the client has taken it or is gone. */
  send(socket: Socket, done: () => void): void;
  /** A client that it was sent to needs its bytes no more. */
  taken(): void;
}

/** Answers by the heads of requests, as they came: what was answered before to the very same bytes. */
export interface AnswersAtHand {
  /** The answer to a request without a body; the connection goes on after it. */
  find(head: string): AnswerAtHand | undefined;
}

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, errorAnswer } from '../errors.ts';

/** How long the answer may take to be read, in milliseconds. */
const LINGER_MS = 1000;

/** Answers what is no HTTP request, which no route sees, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = errorAnswer(
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('payload_too_large', 'The headers of the request are too large.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new AppError('invalid_input', 'The request did not arrive in time.')
        : new AppError('invalid_input', 'The request is not valid HTTP.'),
  );
  // The other side may never close its half.
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}

/** A request the network refuses before running anything; `message` goes to the client as plain text. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The request is malformed or not authentic (400). */
export function badRequest(message: string): RequestError {
  return new RequestError(400, message);
}

/** The sender may not read what it asks for (403). */
export function forbidden(message: string): RequestError {
  return new RequestError(403, message);
}

/** There is nothing of that name (404). */
export function notFound(message: string): RequestError {
  return new RequestError(404, message);
}

/** The body is not of the type the API takes (415). */
export function unsupportedType(message: string): RequestError {
  return new RequestError(415, message);
}

/** The request is too long (413). */
export function tooLarge(message: string): RequestError {
  return new RequestError(413, message);
}

/** The network has too much to do of this kind; the same request may be sent again later (503). */
export function busy(message: string): RequestError {
  return new RequestError(503, message);
}

// Requests and answers of the folder program; see main.mjs.

/**
 * What an operation is given: the fields of the request, and the bytes that follow it.
 * @typedef {Record<string, any> & { base: string, place: string, path: string }} Request
 * @typedef {{ result: unknown, body?: Buffer[] }} Answer
 * @typedef {(request: Request, body: Body) => Answer | Promise<Answer>} Operation
 */

/** Reads a stream in pieces of known length. */
class Input {
  /** @param {AsyncIterable<Buffer>} stream */
  constructor(stream) {
    this.chunks = stream[Symbol.asyncIterator]();
    /** @type {Buffer} */
    this.rest = Buffer.alloc(0);
  }

  /**
   * The next bytes, at most this many; null at the end.
   * @param {number} most
   */
  async some(most) {
    if (this.rest.length === 0) {
      const { value, done } = await this.chunks.next();
      if (done) return null;
      this.rest = value;
    }
    const piece = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(piece.length);
    return piece;
  }

  /** @param {number} length */
  async exactly(length) {
    return Buffer.concat(await Array.fromAsync(new Body(this, length).pieces()));
  }
}

/** The bytes that follow the head of a request. */
class Body {
  /** @param {Input} input @param {number} left */
  constructor(input, left) {
    this.input = input;
    this.left = left;
  }

  /**
   * The next bytes of it, this many of them.
   * @param {number} [length]
   */
  async *pieces(length = this.left) {
    if (length > this.left) throw new Error('too few bytes');
    for (let wanted = length; wanted > 0; ) {
      const piece = await this.input.some(wanted);
      if (piece === null) process.exit(0);
      wanted -= piece.length;
      this.left -= piece.length;
      yield piece;
    }
  }
}

/** @param {Buffer} bytes */
function write(bytes) {
  return new Promise((resolve) => process.stdout.write(bytes, resolve));
}

/** @param {unknown} error */
function failureOf(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  return String(code ?? message ?? error).slice(0, 200);
}

/**
 * Answers requests until there are no more.
 * @param {string} base
 * @param {Record<string, Operation>} operations
 */
export async function answer(base, operations) {
  const input = new Input(process.stdin);
  for (;;) {
    const length = (await input.exactly(4)).readUInt32BE();
    const { id, body: size, request } = JSON.parse((await input.exactly(length)).toString('utf8'));
    const given = new Body(input, size);
    /** @type {Answer & { failure?: string }} */
    let answered;
    try {
      answered = await (operations[request.op] ?? unknown)({ ...request, base }, given);
    } catch (error) {
      answered = { result: null, failure: failureOf(error) };
    }
    // What the operation has not read must not be taken for the next request.
    for await (const _ of given.pieces());
    const { result, failure, body = [] } = answered;
    const bytes = body.reduce((sum, piece) => sum + piece.length, 0);
    const head = Buffer.from(JSON.stringify({ id, result, failure, body: bytes }));
    const headSize = Buffer.alloc(4);
    headSize.writeUInt32BE(head.length);
    await write(Buffer.concat([headSize, head]));
    for (const piece of body) await write(piece);
  }
}

/** @param {Request} request @returns {Answer} */
function unknown({ op }) {
  throw new Error(`unknown operation ${op}`);
}

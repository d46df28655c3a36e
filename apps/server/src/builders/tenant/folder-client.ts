import type { Program } from '../../starter/start-program.ts';
import { BuildError } from '../build-error.ts';

/** A request to the folder program, and what of an answer is read. */
export interface FolderRequest {
  readonly op: string;
  readonly [field: string]: unknown;
}

interface FolderOptions {
  /** The bytes that follow the request, and how many there are. */
  readonly body?: {
    readonly size: number;
    readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  };
  /** Most bytes that follow the answer; none without it. */
  readonly most?: number;
  /** How long the answer may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** An answer of the folder program: what it says is as foreign as the folder, and still to be checked. */
interface FolderAnswer {
  readonly result: unknown;
  readonly body: Buffer;
}

/** Asks the folder program. @throws BuildError when it fails, breaks the protocol or does not answer in time */
export type AskFolder = (request: FolderRequest, options?: FolderOptions) => Promise<FolderAnswer>;

/** Bytes of the head of an answer, which is read at once: a list of 20,000 files has 2 MB. */
const HEAD_LIMIT = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const LENGTH_BYTES = 4;

interface Waiting {
  /** The number of the request, which its answer repeats. */
  readonly id: number;
  readonly most: number;
  readonly answer: PromiseWithResolvers<FolderAnswer>;
}

/** Reads pieces of known length from what arrives; holds no more than what arrived. */
class Arrivals {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** @returns null when the stream has ended before */
  async exactly(length: number): Promise<Buffer | null> {
    const pieces: Buffer[] = [];
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) return null;
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      pieces.push(piece);
    }
    const [only] = pieces;
    return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
  }
}

/** A folder program that runs, as the server speaks with it: requests are answered in their order. */
export class FolderClient {
  readonly #program: Program;
  readonly #waiting: Waiting[] = [];
  #sending: Promise<void> = Promise.resolve();
  #failure: BuildError | null = null;
  #open = 0;
  #sent = 0;

  constructor(program: Program) {
    this.#program = program;
    void this.#read().catch(() => this.#fail('its answers break the protocol'));
  }

  readonly ask: AskFolder = async (request, { body, most = 0, timeoutMs = TIMEOUT_MS } = {}) => {
    if (this.#failure !== null) throw this.#failure;
    const answer = Promise.withResolvers<FolderAnswer>();
    const timer = setTimeout(() => this.#fail('it did not answer in time'), timeoutMs);
    // One request after the other, each with its bytes behind it.
    this.#sending = this.#sending.then(async () => {
      if (this.#failure !== null) return answer.reject(this.#failure);
      const id = ++this.#sent;
      this.#waiting.push({ id, most, answer });
      const head = Buffer.from(JSON.stringify({ id, body: body?.size ?? 0, request }));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(head.length);
      try {
        await this.#write(Buffer.concat([length, head]));
        let left = body?.size ?? 0;
        for await (const piece of body?.pieces ?? []) {
          left -= piece.length;
          if (left < 0) break;
          await this.#write(piece);
        }
        if (left !== 0) throw new BuildError('What was to be written has another length than was said.');
      } catch (error) {
        // What it was promised does not come, so that no further request can follow.
        answer.reject(error);
        this.#fail('what it was to be given could not be read');
      }
    });
    this.#open += 1;
    try {
      return await answer.promise;
    } finally {
      this.#open -= 1;
      clearTimeout(timer);
    }
  };

  /** Whether it waits for requests: none is sent or unanswered. */
  get isIdle(): boolean {
    return this.#failure === null && this.#open === 0;
  }

  /** Ends the program. */
  async close(): Promise<void> {
    this.#fail('it has ended');
    await this.#program.ended;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { input } = this.#program;
    if (input === null || input.destroyed || this.#failure !== null) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        input.off('close', done);
        resolve();
      };
      input.once('close', done);
      input.write(bytes, done);
    });
  }

  async #read(): Promise<void> {
    const arrivals = new Arrivals(this.#program.output as AsyncIterable<Buffer>);
    for (;;) {
      const length = (await arrivals.exactly(LENGTH_BYTES))?.readUInt32BE();
      const asked = this.#waiting[0];
      if (length === undefined) return this.#fail('it has ended');
      if (asked === undefined || length > HEAD_LIMIT) return this.#fail('its answers break the protocol');
      const head = await arrivals.exactly(length);
      if (head === null) return this.#fail('it has ended');
      const { id, result, failure, body } = JSON.parse(head.toString('utf8')) as Record<string, unknown>;
      // Whatever comes too often, or too early, must not answer a later request.
      if (id !== asked.id) return this.#fail('its answers break the protocol');
      if (typeof body !== 'number' || !(body >= 0 && body <= asked.most) || !Number.isInteger(body))
        return this.#fail('its answers break the protocol');
      const bytes = await arrivals.exactly(body);
      if (bytes === null) return this.#fail('it has ended');
      this.#waiting.shift();
      if (failure === undefined) asked.answer.resolve({ result, body: bytes });
      else asked.answer.reject(failed(`it says ${String(failure).slice(0, 200)}`));
    }
  }

  #fail(reason: string): void {
    this.#failure ??= failed(reason);
    this.#program.kill();
    for (const { answer } of this.#waiting.splice(0)) answer.reject(this.#failure);
  }
}

function failed(reason: string): BuildError {
  return new BuildError(`The program that works on the files of the build failed: ${reason}. Deploy again.`);
}

import { createGunzip } from 'node:zlib';
import { MAX_WASM_BYTES } from '@cannery/contract';
import { AppError } from '../../errors.ts';

/** Metadata of modules whose main memory has to be kept across upgrades (Motoko since moc 0.15). */
export const KEEPS_MEMORY = 'enhanced-orthogonal-persistence';

/** `\0asm` and version 1 (WebAssembly core specification, 5.5.16). */
const RAW_MAGIC = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

export const NOT_WASM = 'Invalid file format. Only WASM allowed.';

/**
 * Passes a stream on while checking that it is a WebAssembly module, raw or gzip (the two forms install_code takes).
 * @throws AppError invalid_wasm, or payload_too_large when it unpacks to more than the network takes
 */
export async function* checkedWasm(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer = Buffer.alloc(0);
  let inner: GunzipCheck | undefined;
  let decided = false;
  for await (const chunk of source) {
    if (!decided) {
      head = Buffer.concat([head, chunk]);
      if (head.length < RAW_MAGIC.length) continue;
      decided = true;
      if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) inner = new GunzipCheck();
      else if (!startsAsModule(head)) throw new AppError('invalid_wasm', NOT_WASM);
      await inner?.write(head);
      yield head;
    } else {
      await inner?.write(chunk);
      yield chunk;
    }
  }
  if (!decided) throw new AppError('invalid_wasm', NOT_WASM);
  await inner?.end();
}

function startsAsModule(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, RAW_MAGIC.length).equals(RAW_MAGIC);
}

/** Unpacks a gzip stream only to look at it: whole, not too large, and a module inside. */
class GunzipCheck {
  readonly #gunzip = createGunzip();
  readonly #finished: Promise<void>;
  #failure: unknown;

  constructor() {
    this.#finished = this.#inspect().catch((error: unknown) => {
      this.#failure = error;
      this.#gunzip.destroy();
    });
  }

  async #inspect(): Promise<void> {
    let head: Buffer = Buffer.alloc(0);
    let size = 0;
    let decided = false;
    for await (const chunk of this.#gunzip as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_WASM_BYTES) {
        throw new AppError(
          'payload_too_large',
          'The module unpacks to more than 100 MiB, the most the network takes.',
        );
      }
      if (decided) continue;
      head = Buffer.concat([head, chunk]);
      if (head.length < RAW_MAGIC.length) continue;
      decided = true;
      if (!startsAsModule(head)) throw new AppError('invalid_wasm', NOT_WASM);
    }
    if (!decided) throw new AppError('invalid_wasm', NOT_WASM);
  }

  #throwFailure(): void {
    if (this.#failure instanceof AppError) throw this.#failure;
    if (this.#failure !== undefined) {
      throw new AppError('invalid_wasm', NOT_WASM, {
        detail: 'The gzip data is damaged.',
        cause: this.#failure,
      });
    }
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#throwFailure();
    if (!this.#gunzip.write(chunk)) {
      await Promise.race([new Promise((resolve) => this.#gunzip.once('drain', resolve)), this.#finished]);
    }
    this.#throwFailure();
  }

  async end(): Promise<void> {
    this.#gunzip.end();
    await this.#finished;
    this.#throwFailure();
  }
}

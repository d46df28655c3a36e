import { BuildError } from '../build-error.ts';
import type { NoBytes, TenantFolder } from '../tenant/tenant-folder.ts';

/** Bytes of a module; the network takes none above 100 MB. */
export const MODULE_LIMIT = 100 * 1024 * 1024;
/** Bytes of an interface that is read from a file. */
export const INTERFACE_LIMIT = 1024 * 1024;

const PROBLEMS: Readonly<Record<NoBytes, (path: string, most: number) => string>> = {
  none: (path) => `${path} is not there after the build.`,
  outside: (path) => `${path} leads out of the repository.`,
  other: (path) => `${path} is not a file.`,
  large: (path, most) => `${path} is larger than ${Math.floor(most / 1024 ** 2)} MB.`,
};

/**
 * Bytes of a file of the checkout, in which commands of a tenant may have run; links are followed as long as they stay inside.
 * @param most bytes that are read
 * @throws BuildError when it is not there, is no file, leads out of the checkout or is too large
 */
export async function readFromCheckout(root: TenantFolder, path: string, most: number): Promise<Buffer> {
  return bytesOf(await root.read(path, most, { links: true }), path, most);
}

/** What was found at a path. @throws BuildError when it has no bytes for the server */
function bytesOf(found: Buffer | NoBytes, path: string, most: number): Buffer {
  if (typeof found === 'string') throw new BuildError(PROBLEMS[found](path, most));
  return found;
}

/** A file of the checkout, of a size that is known. */
export interface SizedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** What is read at once: this many files, and bytes unless it is one. */
const BATCH = { files: 64, bytes: 1024 * 1024 };
/** Batches that are kept until others are read: files are read in their order, by two at the same time. */
const KEPT_BATCHES = 4;

/**
 * Reads files of a checkout that are read one after the other, several with one question to the folder program, as
 * `readFromCheckout` does.
 */
export class BatchReader {
  readonly #root: TenantFolder;
  readonly #batches: readonly (readonly SizedFile[])[];
  /** The batch of each file, by its index. */
  readonly #places: readonly (readonly [batch: number, place: number])[];
  readonly #kept = new Map<number, Promise<(Buffer | NoBytes)[]>>();

  constructor(root: TenantFolder, files: readonly SizedFile[]) {
    this.#root = root;
    this.#batches = batchesOf(files);
    this.#places = this.#batches.flatMap((batch, index) => batch.map((_, place) => [index, place] as const));
  }

  /** Bytes of the file with this index. @throws BuildError as `readFromCheckout`, RangeError when there is none */
  async read(index: number): Promise<Buffer> {
    const [batch, place] = this.#places[index] ?? [-1, -1];
    const file = this.#batches[batch]?.[place];
    if (file === undefined) throw new RangeError(`There is no file ${index}.`);
    const found = (await this.#readBatch(batch))[place] ?? 'none';
    return bytesOf(found, file.path, file.size);
  }

  #readBatch(index: number): Promise<(Buffer | NoBytes)[]> {
    const batch = this.#batches[index] ?? [];
    const known = this.#kept.get(index);
    if (known !== undefined) return known;
    const reading = this.#root.readSome(batch);
    // A large file is read for whoever asks, and not kept.
    if (sizeOf(batch) > BATCH.bytes) return reading;
    this.#kept.set(index, reading);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= KEPT_BATCHES) break;
      this.#kept.delete(oldest);
    }
    return reading;
  }
}

function sizeOf(files: readonly SizedFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function batchesOf(files: readonly SizedFile[]): SizedFile[][] {
  const batches: SizedFile[][] = [];
  let bytes = 0;
  for (const file of files) {
    const last = batches.at(-1);
    bytes += file.size;
    if (last !== undefined && last.length < BATCH.files && bytes <= BATCH.bytes) last.push(file);
    else {
      batches.push([file]);
      bytes = file.size;
    }
  }
  return batches;
}

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type SettingsChange, settingsChange } from '@cannery/contract';
import { sizeText } from '../../../builders/site/amount-text.ts';
import type { ArtifactPart } from '../../../db/tables/deploy-tables.ts';
import { type AssetFile, contentOf, type FilePart, readPart } from '../../../ic/assets/asset-file.ts';
import type { RedirectRule } from '../../../ic/assets/redirect-rules.ts';
import type { Header } from '../../../ic/replies/listed-asset.ts';
import type { PreparedCanister } from '../publish/prepare-canisters.ts';

/*
 * A pack holds what a run publishes, in one file: the contents one after the other, then a JSON index of them, then the
 * length of the index as 8 bytes, big-endian.
 */

/** Bytes at the end of a pack that tell how long its index is. */
const LENGTH_BYTES = 8;
/** Changes when packs of before can no longer be read. */
const VERSION = 1;

type FileProperties = Omit<AssetFile, 'path' | 'part' | 'bytes' | 'encodings' | 'headers'>;

interface PackedFile extends FileProperties {
  /** Bytes. */
  readonly size: number;
  /** Place among the headers of the index: many files of a site have the same ones, of up to 16 KiB. */
  readonly headers?: number;
}

type PackedCanister = { readonly name: string; readonly settings: SettingsChange } & (
  | {
      readonly kind: 'site';
      readonly files: readonly PackedFile[];
      /** Absent without any. */
      readonly redirects?: readonly RedirectRule[];
    }
  /** Both in bytes. */
  | { readonly kind: 'module'; readonly wasm: number; readonly arg: number }
);

interface Index {
  readonly version: number;
  readonly headers: readonly (readonly Header[])[];
  readonly canisters: readonly PackedCanister[];
}

/** A pack is larger than the operator allows; the message is the second half of a sentence. */
export class PackTooLargeError extends Error {
  override readonly name = 'PackTooLargeError';

  constructor(most: number) {
    super(`it publishes more than the ${sizeText(most)} that are kept for a user (ARTIFACT_MB).`);
  }
}

/** Packs what a run publishes, one file in memory at a time. */
export class ArtifactPack {
  /** What is in it; complete when all pieces are read. */
  readonly parts: ArtifactPart[] = [];
  readonly #canisters: readonly PreparedCanister[];
  readonly #most: number;
  readonly #signal: AbortSignal;
  readonly #headers = new Map<readonly Header[], number>();
  #size = 0;

  /** @param options.most bytes */
  constructor(
    canisters: readonly PreparedCanister[],
    { most, signal }: { most: number; signal: AbortSignal },
  ) {
    this.#canisters = canisters;
    this.#most = most;
    this.#signal = signal;
  }

  /** @throws PackTooLargeError, AppError for a file that cannot be read, the signal's reason */
  async *pieces(): AsyncGenerator<Uint8Array> {
    const packed: PackedCanister[] = [];
    for (const canister of this.#canisters) packed.push(yield* this.#canister(canister));
    const index: Index = { version: VERSION, headers: [...this.#headers.keys()], canisters: packed };
    const text = Buffer.from(JSON.stringify(index));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeBigUInt64BE(BigInt(text.length));
    yield this.#counted(text);
    yield length;
  }

  async *#canister(canister: PreparedCanister): AsyncGenerator<Uint8Array, PackedCanister> {
    const { name, settings, kind } = canister;
    const hash = createHash('sha256');
    const before = this.#size;
    let packed: PackedCanister;
    if (kind === 'module') {
      const { wasm, arg } = canister;
      hash.update(wasm);
      yield this.#counted(wasm);
      yield this.#counted(arg);
      packed = { name, settings, kind, wasm: wasm.length, arg: arg.length };
    } else {
      const files: PackedFile[] = [];
      for (const file of canister.assets.files) {
        this.#signal.throwIfAborted();
        const content = await contentOf(file);
        const one = this.#file(file, content.length);
        hash.update(JSON.stringify([one.key, one.size]));
        hash.update(content);
        yield this.#counted(content);
        files.push(one);
      }
      const { redirects } = canister.assets;
      if (redirects.length > 0) hash.update(JSON.stringify(redirects));
      packed = { name, settings, kind, files, ...(redirects.length > 0 ? { redirects } : {}) };
    }
    this.parts.push({ name, kind, hash: hash.digest('hex'), size: this.#size - before });
    return packed;
  }

  #file(file: AssetFile, size: number): PackedFile {
    const { key, contentType, encoders, maxAge, enableAliasing, allowRawAccess, headers } = file;
    const properties = {
      key,
      contentType,
      size,
      ...(encoders === undefined ? {} : { encoders }),
      ...(maxAge === undefined ? {} : { maxAge }),
      ...(enableAliasing === undefined ? {} : { enableAliasing }),
      ...(allowRawAccess === undefined ? {} : { allowRawAccess }),
    };
    if (headers === undefined) return properties;
    const place = this.#headers.get(headers) ?? this.#headers.size;
    this.#headers.set(headers, place);
    return { ...properties, headers: place };
  }

  #counted(piece: Uint8Array): Uint8Array {
    this.#size += piece.length;
    if (this.#size > this.#most) throw new PackTooLargeError(this.#most);
    return piece;
  }
}

/**
 * Reads a pack that this server has written and verified; files of a site stay in it until they are sent.
 * @param path of the pack on disk; it must stay there until everything is published
 * @throws Error for a pack of another version
 */
export async function openPack(path: string): Promise<PreparedCanister[]> {
  const index = await indexOf({ size: (await stat(path)).size, read: (part) => readPart(path, part) });
  let at = 0;
  const next = (size: number): FilePart => {
    at += size;
    return { at: at - size, length: size };
  };
  const canisters: PreparedCanister[] = [];
  for (const { name, settings: given, ...content } of index.canisters) {
    const settings = settingsChange.parse(given);
    if (content.kind === 'module') {
      const wasm = await readPart(path, next(content.wasm));
      const arg = await readPart(path, next(content.arg));
      canisters.push({ name, settings, kind: 'module', wasm, arg });
    } else {
      const files = content.files.map(({ size, headers: place, ...properties }): AssetFile => {
        const headers = place === undefined ? undefined : index.headers[place];
        return { ...properties, path, part: next(size), ...(headers === undefined ? {} : { headers }) };
      });
      canisters.push({
        name,
        settings,
        kind: 'site',
        assets: { files, redirects: content.redirects ?? [], remarks: [] },
      });
    }
  }
  return canisters;
}

/** A pack that this server has written and verified. */
export interface VerifiedPack {
  /** Bytes. */
  readonly size: number;
  read(part: FilePart): Promise<Buffer>;
}

/**
 * Reads the module of one canister out of a pack, and nothing else of its content.
 * @returns undefined when the pack has no module for a canister of that name
 * @throws Error for a pack of another version
 */
export async function moduleInPack(pack: VerifiedPack, name: string): Promise<Uint8Array | undefined> {
  let at = 0;
  for (const canister of (await indexOf(pack)).canisters) {
    if (canister.kind === 'module') {
      if (canister.name === name) return pack.read({ at, length: canister.wasm });
      at += canister.wasm + canister.arg;
    } else {
      for (const { size } of canister.files) at += size;
    }
  }
  return undefined;
}

async function indexOf({ size, read }: VerifiedPack): Promise<Index> {
  const end = size - LENGTH_BYTES;
  const length = Number((await read({ at: end, length: LENGTH_BYTES })).readBigUInt64BE());
  const index = JSON.parse((await read({ at: end - length, length })).toString()) as Index;
  if (index.version !== VERSION) throw new Error(`The pack is of version ${index.version}.`);
  return index;
}

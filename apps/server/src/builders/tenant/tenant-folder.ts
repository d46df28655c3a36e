import { posix } from 'node:path';
import { z } from 'zod';
import { BuildError } from '../build-error.ts';
import type { AskFolder, FolderRequest } from './folder-client.ts';
import { PiecesOf } from './pieces-of.ts';
import type { EntryKind, FoundText, ListedFile, ProjectFiles } from './project-files.ts';

/** A path that the server works on. */
export interface TenantFile {
  readonly folder: TenantFolder;
  /** Relative to the folder, with '/' between its parts. */
  readonly path: string;
}

/** A file to be written. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** An entry of a commit to be written; a folder is that of a submodule. */
export interface CommittedEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly kind: 'file' | 'program' | 'folder';
  readonly objectId: string;
}

/** A file of a commit that is a pointer of Git LFS. */
export interface Pointer {
  readonly path: string;
  readonly kind: CommittedEntry['kind'];
  /** SHA-256 of the content that it stands for. */
  readonly oid: string;
  /** Bytes of that content. */
  readonly size: number;
  /** Whether a program of its author has changed the content before. */
  readonly extended: boolean;
}

/** Why a file has no bytes for the server. */
export type NoBytes = 'none' | 'other' | 'large' | 'outside';

const ENTRY = z.object({ kind: z.enum(['none', 'link', 'folder', 'file', 'other']) });
const KIND = z.enum(['none', 'other', 'large', 'outside', 'file']);
const READ = z.object({ kind: KIND });
const PATH = z.string().max(4_096);
const LISTED = z.object({ files: z.array(z.tuple([PATH, z.int().min(0)])).nullable() });
const HASHES = z.object({ hashes: z.array(z.string().length(64).nullable()) });
const WRITTEN = z.object({ blocked: PATH.optional() });
const POINTER = z.tuple([z.int().min(0), z.string().regex(/^[0-9a-f]{64}$/), z.int().min(0), z.boolean()]);
const CHECKED_OUT = z.object({ blocked: PATH.optional(), pointers: z.array(POINTER).optional() });
/** Most folders of which names are told. */
const MOST_FOLDERS = 1_000;
/** Entries of a commit that one request writes: what is asked for is put into words at once. */
const ENTRIES_AT_ONCE = 2_000;
/** Work on a whole tree, in milliseconds; a million files are removed in a minute. */
const TREE_MS = 15 * 60 * 1000;

/**
 * A path in a folder, in its shortest form.
 * @throws BuildError for one that leads out of it, or that no file can have
 */
function inside(path: string): string {
  const short = posix.normalize(path).replace(/\/$/, '');
  if (posix.isAbsolute(short) || short === '..' || short.startsWith('../') || short.includes('\0'))
    throw new BuildError(`The path '${path.slice(0, 200)}' leads out of its folder.`);
  return short === '.' ? '' : short;
}

/**
 * A folder that a tenant's code or repository has shaped. It has no path: the server works on it through the folder
 * program, which runs in the sandbox, so that no link in it leads to anything of the server (decision 0074).
 */
export class TenantFolder implements ProjectFiles {
  readonly #ask: AskFolder;
  readonly #place: string;

  /** @param place as the folder program knows it */
  constructor(place: string, ask: AskFolder) {
    this.#place = place;
    this.#ask = ask;
  }

  /** Asks the folder program about a path of this folder; what it answers is still to be checked. */
  ask(
    request: FolderRequest & { path?: string },
    options: Parameters<AskFolder>[1] = {},
  ): ReturnType<AskFolder> {
    return this.#ask({ ...request, place: this.#place, path: inside(request.path ?? '') }, options);
  }

  async #answer<T>(
    schema: z.ZodType<T>,
    request: FolderRequest & { path?: string },
    tree = false,
  ): Promise<T> {
    const { result } = await this.ask(request, tree ? { timeoutMs: TREE_MS } : {});
    return checked(schema, result);
  }

  /**
   * Bytes of a file of at most this many, or why there are none.
   * @param options.links whether links are followed as long as they stay inside
   * @param options.head whether a longer file is cut instead
   */
  async read(
    path: string,
    most: number,
    { links = false, head = false }: { links?: boolean; head?: boolean } = {},
  ): Promise<Buffer | NoBytes> {
    const { result, body } = await this.ask(
      { op: 'read', path, most, links, head },
      { most, timeoutMs: TREE_MS },
    );
    const { kind } = checked(READ, result);
    return kind === 'file' ? body : kind;
  }

  /** Bytes of files of the given sizes or less, or why one has none; links are followed as long as they stay inside. */
  async readSome(files: readonly { path: string; size: number }[]): Promise<(Buffer | NoBytes)[]> {
    const most = files.reduce((sum, { size }) => sum + size, 0);
    const given = files.map(({ path, size }) => [inside(path), size]);
    const { result, body } = await this.ask({ op: 'readSome', files: given }, { most, timeoutMs: TREE_MS });
    const schema = z.object({ found: z.array(z.tuple([KIND, z.int().min(0)])).length(files.length) });
    let at = 0;
    return checked(schema, result).found.map(([kind, size]) => {
      if (kind !== 'file') return kind;
      at += size;
      return body.subarray(at - size, at);
    });
  }

  /** Bytes of plain files, at most this many together; null for what is none. */
  async readAll(paths: readonly string[], most: number): Promise<(Buffer | null)[]> {
    const given = paths.map(inside);
    const { result, body } = await this.ask(
      { op: 'readAll', paths: given, most },
      { most, timeoutMs: TREE_MS },
    );
    const { sizes } = checked(z.object({ sizes: z.array(z.int().min(-1)).length(paths.length) }), result);
    let at = 0;
    return sizes.map((size) => {
      if (size < 0) return null;
      at += size;
      return body.subarray(at - size, at);
    });
  }

  async textOf(path: string, most: number): Promise<FoundText> {
    const found = await this.read(path, most);
    if (typeof found !== 'string') return { kind: 'file', text: found.toString('utf8') };
    return { kind: found === 'large' ? 'large' : 'none' };
  }

  async kindOf(path: string): Promise<EntryKind> {
    return (await this.#answer(ENTRY, { op: 'kind', path })).kind;
  }

  async isFolder(path: string): Promise<boolean> {
    return (await this.#answer(z.object({ is: z.boolean() }), { op: 'plain', path })).is;
  }

  async foldersIn(path: string): Promise<string[]> {
    const schema = z.object({ names: z.array(PATH).max(MOST_FOLDERS) });
    return (await this.#answer(schema, { op: 'folders', path, most: MOST_FOLDERS })).names;
  }

  async list(
    endings: readonly string[],
    { within, skipped, most }: { within: string; skipped: readonly string[]; most: number },
  ): Promise<ListedFile[] | null> {
    const { files } = await this.#answer(LISTED, { op: 'list', path: within, endings, skipped, most }, true);
    return files?.map(([path, size]) => ({ path: inside(path), size })) ?? null;
  }

  async hashesOf(paths: readonly string[], most: number): Promise<(string | null)[]> {
    const { hashes } = await this.#answer(HASHES, { op: 'hashes', paths: paths.map(inside), most }, true);
    if (hashes.length !== paths.length) throw new BuildError('The hashes of files could not be taken.');
    return hashes;
  }

  /**
   * Writes a file, and the folders above it; a link in its place is taken away, one above it refused.
   * @throws BuildError when a folder above it is a link or a file
   */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content);
    const body = { size: bytes.length, pieces: [bytes] };
    const { result } = await this.ask({ op: 'write', path }, { body });
    const { blocked } = checked(WRITTEN, result);
    if (blocked !== undefined)
      throw new BuildError(`${posix.dirname(path)} cannot be written to: ${blocked} is a link or a file.`);
  }

  /**
   * Writes a file as it comes, as `write` does.
   * @param content.size the bytes of it, which must be as many
   * @throws BuildError also what the stream throws
   */
  async fill(
    path: string,
    content: { readonly size: number; readonly pieces: AsyncIterable<Uint8Array>; readonly program: boolean },
  ): Promise<void> {
    const { size, pieces, program } = content;
    const { result } = await this.ask(
      { op: 'write', path, program },
      { body: { size, pieces }, timeoutMs: TREE_MS },
    );
    if (checked(WRITTEN, result).blocked !== undefined) throw new BuildError(`${path} cannot be written to.`);
  }

  /** Writes files into a folder of it, each of which must not be there. @throws BuildError when something is in the way */
  async writeAll(path: string, files: readonly WrittenFile[]): Promise<void> {
    const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const listed = files.map((file) => [inside(file.path), file.bytes.length, 'file']);
    const body = { size, pieces: files.map(({ bytes }) => bytes) };
    const { result } = await this.ask({ op: 'writeAll', path, files: listed }, { body, timeoutMs: TREE_MS });
    if (checked(WRITTEN, result).blocked !== undefined) throw new BuildError(`${path} cannot be written to.`);
  }

  /**
   * Writes the entries of a commit into a folder of it.
   * @param blobs contents of the files in their order, as `streamBlobs` gives them
   * @returns the path of the first entry that cannot be written, null when all are; and which files are pointers of Git LFS
   */
  async checkOut(
    path: string,
    entries: readonly CommittedEntry[],
    blobs: AsyncIterable<Uint8Array>,
  ): Promise<{ readonly blocked: string | null; readonly pointers: Pointer[] }> {
    const found: Pointer[] = [];
    const idLength = entries[0]?.objectId.length ?? 0;
    const around = (size: number): number => idLength + ` blob ${size}\n`.length + size + 1;
    const stream = new PiecesOf(blobs);
    try {
      for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) {
        const some = entries.slice(at, at + ENTRIES_AT_ONCE);
        const size = some.reduce((sum, one) => sum + (one.kind === 'folder' ? 0 : around(one.size)), 0);
        const files = some.map((one) => [one.path, one.size, one.kind]);
        const body = { size, pieces: stream.next(size) };
        const request = { op: 'checkOut', path, files, idLength };
        const { result } = await this.ask(request, { body, timeoutMs: TREE_MS });
        const { blocked, pointers = [] } = checked(CHECKED_OUT, result);
        if (blocked !== undefined) return { blocked, pointers: found };
        for (const [place, oid, bytes, extended] of pointers) {
          const entry = some[place];
          if (entry !== undefined)
            found.push({ path: entry.path, kind: entry.kind, oid, size: bytes, extended });
        }
      }
      await stream.end();
      return { blocked: null, pointers: found };
    } finally {
      await stream.cancel();
    }
  }

  /**
   * Makes links of texts that git has written for links, where they lead to something in this folder.
   * @returns the paths of those that stay texts
   */
  async layLinks(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    return (await this.#answer(z.object({ left: z.array(PATH) }), { op: 'layLinks', paths }, true)).left;
  }

  /**
   * Makes the folders above a path, over folders only.
   * @throws BuildError when something else is in the way
   */
  async makeParents(path: string): Promise<void> {
    const { blocked } = await this.#answer(WRITTEN, { op: 'parents', path });
    if (blocked !== undefined)
      throw new BuildError(
        `${path} cannot be written, since ${blocked} is not a folder. Remove it, and push.`,
      );
  }

  /** Removes what is at a path, however hostile: folders without rights, paths longer than a program may name. */
  async remove(path: string): Promise<void> {
    await this.#answer(z.object({}), { op: 'remove', path }, true);
  }

  /** Removes all that is in it. @returns how many entries could not be removed */
  async empty(): Promise<number> {
    return (await this.#answer(z.object({ left: z.int() }), { op: 'empty' }, true)).left;
  }

  /** Moves a folder to where none is, in this folder or in another of the same tenant. @returns whether that was possible */
  async move(path: string, to: TenantFile): Promise<boolean> {
    return (await this.#between(z.object({ moved: z.boolean() }), 'move', path, to)).moved;
  }

  /** Copies a folder to where none is. @returns whether that was possible */
  async copy(path: string, to: TenantFile): Promise<boolean> {
    return (await this.#between(z.object({ copied: z.boolean() }), 'copy', path, to)).copied;
  }

  /** Moves all that is in a folder of it into another. @returns false when there is no such folder */
  async moveContents(path: string, to: TenantFolder): Promise<boolean> {
    const schema = z.object({ moved: z.boolean() });
    return (await this.#between(schema, 'moveContents', path, { folder: to, path: '' })).moved;
  }

  async #between<T>(schema: z.ZodType<T>, op: string, path: string, to: TenantFile): Promise<T> {
    const places = {
      from: { place: this.#place, path: inside(path) },
      to: { place: to.folder.#place, path: inside(to.path) },
    };
    return this.#answer(schema, { op, ...places }, true);
  }

  /**
   * Notes what a folder of it holds, to be compared by the id later (op `compare`).
   * @param options.scratch folder of the same tenant in which a file may be written
   */
  async note(path: string, { id, scratch }: { id: string; scratch: TenantFolder }): Promise<void> {
    await this.#answer(z.object({}), { op: 'note', path, id, scratch: scratch.#place });
  }

  /** Bytes of all files below it, as far as they can be read; counting ends beyond `most`. */
  async bytes(path: string, most: number): Promise<number> {
    return (await this.#answer(z.object({ bytes: z.number() }), { op: 'bytes', path, most }, true)).bytes;
  }
}

/** What the folder program has answered, when it has the form that it must have. @throws BuildError */
export function checked<T>(schema: z.ZodType<T>, result: unknown): T {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new BuildError(
    'The files of the build could not be read: the answer has another form than it must have.',
  );
}

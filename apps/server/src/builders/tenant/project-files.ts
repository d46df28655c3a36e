import { createHash } from 'node:crypto';
import { posix } from 'node:path';

/** What is at a path of a folder; 'none' also for what lies beyond a link. */
export type EntryKind = 'none' | 'link' | 'folder' | 'file' | 'other';

/** Text of a file, or why there is none: 'large' where it is longer than was asked for. */
export type FoundText =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'none' | 'large' };

/** A file of a folder by its path in it, with '/' between its parts. */
export interface ListedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** The files of a project, wherever they are: in a folder of a tenant, in a commit, or in the product itself. */
export interface ProjectFiles {
  /** Text of a plain file of at most this many bytes. */
  textOf(path: string, most: number): Promise<FoundText>;
  kindOf(path: string): Promise<EntryKind>;
  /** Whether a path leads to a folder over folders only: a link on the way is none. */
  isFolder(path: string): Promise<boolean>;
  /** Names of the folders in a folder, sorted. */
  foldersIn(path: string): Promise<string[]>;
  /**
   * All plain files below a folder with one of the endings, sorted; links are never followed.
   * @param options.skipped names of folders that are left out
   * @param options.most entries that are looked at
   * @returns null when there are more
   */
  list(
    endings: readonly string[],
    options: { readonly within: string; readonly skipped: readonly string[]; readonly most: number },
  ): Promise<ListedFile[] | null>;
  /** SHA-256, hexadecimal, of plain files of at most this many bytes; null for what is none. */
  hashesOf(paths: readonly string[], most: number): Promise<(string | null)[]>;
}

/** Files that are in memory, by their paths, as those of a project. */
export function textFiles(contents: ReadonlyMap<string, Uint8Array>): ProjectFiles {
  const folders = new Set<string>(['']);
  for (const path of contents.keys()) {
    for (let at = posix.dirname(path); at !== '.' && !folders.has(at); at = posix.dirname(at))
      folders.add(at);
  }
  const short = (path: string): string => posix.join('/', path).slice(1).replace(/\/$/, '');
  const within = (most: number, path: string): Uint8Array | 'none' | 'large' => {
    const found = contents.get(short(path));
    if (found === undefined) return 'none';
    return found.length > most ? 'large' : found;
  };
  const isFolder = (path: string): boolean => folders.has(short(path));
  return {
    textOf: async (path, most) => {
      const found = within(most, path);
      if (typeof found === 'string') return { kind: found };
      return { kind: 'file', text: Buffer.from(found).toString('utf8') };
    },
    kindOf: async (path) => (contents.has(short(path)) ? 'file' : isFolder(path) ? 'folder' : 'none'),
    isFolder: async (path) => isFolder(path),
    foldersIn: async (path) => {
      const parent = short(path);
      const own = [...folders].filter((one) => one !== '' && short(posix.dirname(one)) === parent);
      return own.map((one) => posix.basename(one)).sort();
    },
    list: async (endings, { within: folder, skipped, most }) => {
      if (contents.size > most) return null;
      const above = short(folder) === '' ? '' : `${short(folder)}/`;
      return [...contents]
        .filter(([path]) => path.startsWith(above) && endings.some((ending) => path.endsWith(ending)))
        .filter(
          ([path]) =>
            !posix
              .dirname(path.slice(above.length))
              .split('/')
              .some((part) => skipped.includes(part)),
        )
        .map(([path, { length }]) => ({ path, size: length }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    hashesOf: async (paths, most) =>
      paths.map((path) => {
        const found = within(most, path);
        return typeof found === 'string' ? null : createHash('sha256').update(found).digest('hex');
      }),
  };
}

/** What a thread asks about the files of a project. */
export type FilesQuestion = {
  [Method in keyof ProjectFiles]: {
    readonly method: Method;
    readonly args: Parameters<ProjectFiles[Method]>;
  };
}[keyof ProjectFiles];

/** Answers what a thread asks about the files of a project. */
export function answerAbout(files: ProjectFiles): (question: unknown) => Promise<unknown> {
  return (question) => {
    const { method, args } = question as FilesQuestion;
    const answer = files[method] as (...given: unknown[]) => Promise<unknown>;
    return answer.apply(files, args);
  };
}

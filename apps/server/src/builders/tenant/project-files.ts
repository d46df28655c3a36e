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

/** A file as it is to be in the repository. */
export interface ChosenFile {
  /** Its path from the top of the project, with '/' between folders. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isExecutable: boolean;
}

/** The files of a project that a user has chosen. */
export interface ChosenFiles {
  /** Name for the repository. */
  readonly name: string;
  readonly files: readonly ChosenFile[];
  /** What of it stays where it is, each with the reason, such as 'node_modules (installed again by the build)'. */
  readonly leftOut: readonly string[];
}

/** Why files cannot become a repository, as a sentence. */
export class UnfitFilesError extends Error {
  override readonly name = 'UnfitFilesError';
}

/** Files of a project, and their bytes together: all of them are in the memory of the tab. */
export const MOST_FILES = 2_000;
export const MOST_BYTES = 64 * 1024 ** 2;
/** Characters of a path and of a name in it (most file systems have 255), and folders in one another. */
const PATH_LIMIT = 1_000;
const NAME_LIMIT = 255;
const DEPTH_LIMIT = 50;

const LEFT_OUT: readonly { readonly is: RegExp; readonly what: string }[] = [
  { is: /^node_modules$/, what: 'node_modules (installed again by the build)' },
  { is: /^(?:\.dfx|\.icp|\.mops|\.vessel)$/, what: 'folders of dfx, icp and mops (made again by the build)' },
  { is: /^\.env(?:\.(?!example$|sample$|template$).*)?$/, what: '.env (it may hold secrets)' },
];
/** What a system leaves behind in folders and archives; nobody misses it. */
const JUNK = /^(?:\.ds_store|thumbs\.db|desktop\.ini|__macosx|\._.*)$/i;

/** A name as file systems compare it: some see no difference between `.git`, `.GIT. ` and one with invisible signs in it. */
const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();

/** Whether a name could be taken for git's own folder. */
const isGitFolder = (name: string): boolean => /^(?:\.git|git~\d+)$/.test(plainName(name));

/**
 * What becomes of a path: it is taken, it is junk that nobody needs to hear of, or it is left out for a reason.
 * @param given with '/' or '\' between folders
 * @throws UnfitFilesError for one that leads out of the project, or that no repository should have
 */
export function placeOf(given: string): { readonly path: string } | { readonly leftOut: string | null } {
  const path = given.replaceAll('\\', '/');
  const names = path.split('/');
  const isBad = names.some(
    (name) =>
      name === '' || name === '.' || name === '..' || name.length > NAME_LIMIT || /\p{Cc}/u.test(name),
  );
  if (isBad || /^[a-z]:/i.test(path) || path.length > PATH_LIMIT || names.length > DEPTH_LIMIT)
    throw new UnfitFilesError(`'${shortened(given)}' is no path that a project can have.`);
  if (names.some(isGitFolder)) return { leftOut: '.git (the history stays with you)' };
  if (names.some((name) => JUNK.test(name))) return { leftOut: null };
  const reason = LEFT_OUT.find(({ is }) => names.some((name) => is.test(name)));
  return reason === undefined ? { path } : { leftOut: reason.what };
}

/** A path of a stranger as a sentence can hold it. */
export function shortened(path: string): string {
  const plain = path.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
  return plain.length > 80 ? `${plain.slice(0, 80)}…` : plain;
}

/** @throws UnfitFilesError for more than a browser should hold and a push should bring */
export function checkAmount(files: number, bytes: number): void {
  if (files > MOST_FILES) {
    throw new UnfitFilesError(
      `There are more than ${MOST_FILES} files. Push a project of this size with git.`,
    );
  }
  if (bytes > MOST_BYTES) {
    throw new UnfitFilesError(
      `The files are larger than ${MOST_BYTES / 1024 ** 2} MiB together. Push a project of this size with git.`,
    );
  }
}

/** A name as the git host takes it, made of the name of a folder or an archive. */
export function repositoryNameOf(text: string): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/[.-]*\.[.-]*/g, '.')
    .slice(0, 60)
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .replace(/\.git$/i, '');
  return name === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)
    ? `my-${name || 'project'}`
    : name;
}

/** The first of `name`, `name-2`, ... that is not taken; the git host knows no capitals. */
export function freeName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((one) => one.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!known.has(candidate.toLowerCase())) return candidate;
  }
}

/**
 * The files without the folder that all of them are in, as archives of git hosts have one.
 * @throws UnfitFilesError where nothing is left, and where a path is there twice, or a file and a folder
 */
export function projectOf(
  name: string,
  found: readonly ChosenFile[],
  leftOut: ReadonlySet<string>,
): ChosenFiles {
  const [first] = found;
  if (first === undefined) throw new UnfitFilesError('There is no file in it that a repository could have.');
  const top = first.path.split('/', 1)[0] ?? '';
  const isWrapped = found.every(({ path }) => path.startsWith(`${top}/`));
  const files = isWrapped
    ? found.map((file) => ({ ...file, path: file.path.slice(top.length + 1) }))
    : [...found];
  const paths = new Set<string>();
  const folders = new Set<string>();
  for (const { path } of files) {
    if (paths.has(path)) throw new UnfitFilesError(`'${shortened(path)}' is in it twice.`);
    paths.add(path);
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  }
  const both = files.find(({ path }) => folders.has(path));
  if (both !== undefined)
    throw new UnfitFilesError(`'${shortened(both.path)}' is a file and a folder in it.`);
  return { name: repositoryNameOf(name), files, leftOut: [...leftOut] };
}
